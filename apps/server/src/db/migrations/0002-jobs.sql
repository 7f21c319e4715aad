-- Work that outlives a request: leased by a worker, renewed by its heartbeat, resumed after a crash.

create table jobs (
  id text primary key,
  kind text not null,
  payload jsonb not null,
  app_id text references apps on delete cascade,
  unique_key text,
  status text not null default 'queued'
    check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  priority smallint not null default 0,
  run_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  -- Null until a worker takes the job: then the handler's own number is written here.
  attempts_max integer check (attempts_max > 0),
  lease_expires_at timestamptz,
  leased_by text,
  cancel_requested boolean not null default false,
  progress jsonb,
  checkpoint jsonb,
  result jsonb,
  error text,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  check ((status = 'running') = (leased_by is not null)),
  check ((leased_by is null) = (lease_expires_at is null)),
  check ((status in ('completed', 'failed', 'cancelled')) = (finished_at is not null))
) with (
  -- Heartbeats and progress change no indexed column: with room on the page they stay cheap.
  fillfactor = 80,
  -- A queue turns its rows over; the default would wait for a fifth of the table to be dead.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.05
);

-- Finished rows are in none of the indexes that a worker reads.
create index jobs_due on jobs (priority desc, run_at, id) where status = 'queued';
create index jobs_running on jobs (id) where status = 'running';
create unique index jobs_unique_key on jobs (kind, unique_key)
  where unique_key is not null and status in ('queued', 'running');
create index jobs_finished on jobs (finished_at) where finished_at is not null;
create index jobs_app on jobs (app_id, id) where app_id is not null;

-- The last tick of each schedule that became a job, for all nodes together.
create table job_schedules (
  name text primary key,
  last_tick timestamptz not null
);
