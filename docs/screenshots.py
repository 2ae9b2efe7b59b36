"""Take screenshots of an HTML report for the README: python docs/screenshots.py REPORT.

Needs Chromium, and Playwright of the extra ``dev``.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).parent / "images"
# File name → window and colours.
WAYS = {
    "report.png": {"viewport": {"width": 1000, "height": 1300}, "color_scheme": "light"},
    "report-dark.png": {"viewport": {"width": 1000, "height": 1300}, "color_scheme": "dark"},
    "report-phone.png": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")


def main(page: Path) -> None:
    """Open the report in each way and take a screenshot."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        for name, way in WAYS.items():
            window = browser.new_page(**way)
            window.goto(page.resolve().as_uri())
            window.locator("#explorer tbody tr").first.wait_for()
            window.screenshot(path=IMAGES / name)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
