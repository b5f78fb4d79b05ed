-- Who looked last at what a retention policy would keep; not known of looks before this.

alter table retention_policies add column previewer text;
