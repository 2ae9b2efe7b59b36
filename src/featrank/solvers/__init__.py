"""Linear SVMs, linear programs and what chooses by them: for rankers and judges of rankings."""
