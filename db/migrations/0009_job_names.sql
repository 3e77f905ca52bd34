-- Jobs have the names of their verbs. The tables of the queue are created by pg-boss, after the first migration.

do $$
declare
  former text;
  name_now text;
begin
  if to_regclass('pgboss.job') is null then
    return;
  end if;
  for former, name_now in values
    ('upload.check', 'check-upload'), ('upload.sweep', 'delete-expired-transfers'),
    ('upload.expire', 'apply-retention'), ('file.purge', 'purge-files'), ('review.auto', 'accept-by-policy'),
    ('review.release', 'release-due-uploads'), ('message.send', 'send-message'),
    ('account.reset', 'send-reset-link'), ('account.sweep', 'delete-expired-sign-ins'),
    ('audit.verify', 'verify-chain')
  loop
    insert into pgboss.queue
      select renamed.* from pgboss.queue,
        jsonb_populate_record(queue, jsonb_build_object('name', name_now)) renamed
      where queue.name = former
      on conflict do nothing;
    update pgboss.job set name = name_now where name = former;
    -- Each start sets the schedules.
    delete from pgboss.queue where name = former;
  end loop;
  update pgboss.job set data = jsonb_build_object('encrypted', data -> 'sealed')
    where name = 'send-reset-link' and data ? 'sealed';
end $$;
