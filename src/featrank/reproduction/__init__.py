"""The EC-FS paper's experiments: its published figures, the same runs, and both side by side."""
