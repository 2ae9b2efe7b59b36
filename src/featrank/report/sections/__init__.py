"""The sections of HTML reports: one module per question, from results to facts to blocks."""
