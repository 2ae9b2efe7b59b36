"""``python -m featrank``: the same as the command ``featrank``."""

from featrank.cli import main

if __name__ == "__main__":
    main(prog_name="featrank")
