import csv
import io
import json

import pytest
from conftest_names import AWKWARD, SIGNAL
