-- What waits to be sorted into an index is read from end to end by every search. Left at PostgreSQL's 4 MB, a wildcard read through
-- a hundred thousand parts of words before it looked at the index; the index of words has had this bound from its beginning.

alter index search_vocabulary_parts set (gin_pending_list_limit = 256);
