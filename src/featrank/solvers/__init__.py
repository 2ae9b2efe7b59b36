"""Linear SVMs and what chooses by them: shared by rankers and by the judges of rankings."""
