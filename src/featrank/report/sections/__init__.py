"""The page that people look at: one module a question, each from figures to what is shown."""
