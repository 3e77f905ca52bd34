-- A file that passed the product's own check is `unscanned` until a malware scanner has read it; only then it is `clean`.

alter table file drop constraint file_scan_result_check;
-- No file was scanned before this migration.
update file set scan_result = 'unscanned' where scan_result = 'clean';
alter table file
  add constraint file_scan_result_check check (scan_result in ('pending', 'unscanned', 'clean', 'refused'));
