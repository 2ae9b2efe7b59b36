"""A real browser: Chromium, driven by Playwright.

Where there is none, these tests are skipped with the reason; with FEATRANK_BROWSER=required, as in
continuous integration, they fail.
"""

import os
import shutil
from pathlib import Path

import pytest

from .pages import VIOLATIONS, Watched

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The browser shall not ask the network for anything of its own.
QUIET = (
    *("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


def no_browser(reason):
    if os.environ.get("FEATRANK_BROWSER") == "required":
        pytest.fail(f"FEATRANK_BROWSER=required, and {reason}")
    pytest.skip(reason)


def executable():
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        no_browser(f"there is no browser: none of {', '.join(NAMES)} is installed.")
    return found


# Not for the session: as long as Playwright runs, no other test can have an event loop.
@pytest.fixture(scope="package")
def browser():
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        no_browser("there is no Playwright: pip install playwright.")
    path = executable()
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        except Error as error:
            no_browser(f"{path} does not start: {error.message}")
        yield browser
        browser.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Return a function that opens a page; at the end each was quiet and asked for nothing."""
    contexts, pages = [], []

    def open_page(file: Path, *, before="", permissions=(), shown="#explorer tbody th", **options):
        context = browser.new_context(**options)
        context.grant_permissions(list(permissions))
        context.add_init_script(VIOLATIONS + before)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        pages.append(Watched(page, file))
        page.goto(file.as_uri())
        if options.get("java_script_enabled", True):
            page.wait_for_selector(shown)
        return page

    yield open_page
    for page in pages:
        page.check()
    for context in contexts:
        context.close()
