-- What else a query can ask for: the language of a text as it is guessed, and among the words of the index the lines of a mail's
-- header that have a field, the envelope of journaled mail, links, the class of Outlook and the numbers of a file's versions.

alter table search_items add column language text;

-- What was indexed without them is read again, in the background, newest first, and from the vault alone. Until then the coverage under
-- each result counts it as not searched, and what holds by search have not looked at stays on hold.
truncate search_items, search_words, search_sensitive, search_invoices, search_scans, search_vocabulary, search_sources;
