-- The text search names the few long texts that it looks for behind the best, where it looked each item up that holds the words.

-- file: functions/simonides_search.sql
