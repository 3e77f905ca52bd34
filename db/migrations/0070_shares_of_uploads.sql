-- Which shares have ever shown an upload, for the record of who has opened it.
create index share_upload_of_upload on share_upload (upload_id);
drop index share_upload_shown;
