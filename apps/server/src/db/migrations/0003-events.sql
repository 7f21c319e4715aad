-- Security events: one partition a day of event time, so that retention frees disk by dropping.

create table events (
  app_id text not null,
  id text collate "C" not null,
  ts timestamptz not null,
  received_at timestamptz not null,
  -- The transaction that wrote the row. A reader that goes by (xid, id) below the oldest running
  -- transaction sees every row once, whatever order the writers commit in.
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  module text not null,
  severity text not null,
  title text not null,
  description text,
  ip text,
  user_id text,
  country text,
  city text,
  asn bigint,
  payload jsonb
) partition by range (ts);
comment on table events is 'merlon:bulk';

-- Newest first, with and without each of the filters. Read backwards: new rows go to the right edge,
-- where inserts are cheap. Without the id, events of one millisecond or one transaction share an
-- entry, which makes the indexes a quarter as large; the few that share a time are sorted when read.
create index events_time on events (app_id, ts);
create index events_type on events (app_id, type, ts);
create index events_module on events (app_id, module, ts);
create index events_severity on events (app_id, severity, ts);
create index events_ip on events (app_id, ip, ts) where ip is not null;
create index events_user on events (app_id, user_id, ts) where user_id is not null;
create index events_commit_order on events (app_id, xid);

-- For event times outside the days that were made ahead: history that a client brings along.
create table events_other partition of events default;

-- One row for each app and batch, written with the events: what the rollups have yet to count.
create table ingest_log (
  id bigint generated always as identity primary key,
  app_id text not null,
  counts jsonb not null
);
create index ingest_log_app on ingest_log (app_id);

-- Marginal counts. The full cube of all dimensions would be nearly as large as the events.
create table rollup_hour (
  app_id text not null,
  hour timestamptz not null,
  dimension text not null,
  key text not null,
  n bigint not null,
  primary key (app_id, hour, dimension, key)
);
create table rollup_day (
  app_id text not null,
  day timestamptz not null,
  dimension text not null,
  key text not null,
  n bigint not null,
  primary key (app_id, day, dimension, key)
);

-- A client's own event ids, for as long as a client may send again.
create table event_client_ids (
  app_id text not null,
  client_id text collate "C" not null,
  seen_at timestamptz not null,
  primary key (app_id, client_id)
);
create index event_client_ids_age on event_client_ids (seen_at);

create table idempotency_keys (
  app_id text not null,
  key text collate "C" not null,
  body_hash bytea not null,
  answer jsonb not null,
  created_at timestamptz not null,
  primary key (app_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Events that a detector has yet to look at, in the order they came, written with the events.
create table detection_inbox (
  id bigint generated always as identity primary key,
  app_id text not null,
  event jsonb not null
);
create index detection_inbox_app on detection_inbox (app_id);

create table detection_state (
  app_id text not null,
  kind text not null,
  key text collate "C" not null,
  state jsonb not null,
  updated_at timestamptz not null,
  primary key (app_id, kind, key)
);
create index detection_state_age on detection_state (kind, updated_at);
