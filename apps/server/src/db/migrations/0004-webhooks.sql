-- Outbound webhooks: who wants to hear of which events, and what became of each call.

create table webhooks (
  id text primary key,
  app_id text not null references apps on delete cascade,
  url text not null,
  events text[] not null,
  secret_sealed bytea not null,
  enabled boolean not null default true,
  description text,
  -- Everything up to here, in commit order, has become a delivery or was of no interest.
  position_xid xid8 not null,
  position_id text collate "C" not null,
  -- What was visible when it was made or switched on: events from before are not sent.
  since_snapshot text not null,
  consecutive_failures integer not null default 0,
  -- While a receiver fails, new events wait where they are instead of piling up as deliveries.
  paused_until timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null
);
create index webhooks_app on webhooks (app_id, id);

-- Without a foreign key: the deliveries of a webhook that is gone are removed behind it, in batches.
create table webhook_deliveries (
  id text collate "C" primary key,
  app_id text not null,
  webhook_id text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- The events themselves stay in their table, so that erasing a user there erases them here.
  event_ids text[] not null,
  event_xids text[] not null,
  events_from timestamptz,
  events_until timestamptz,
  -- An event that is stored nowhere else: a test.
  test_event jsonb,
  -- The first delivery of this body; its id stands in the body.
  replay_of text collate "C",
  response_status integer,
  error text,
  -- Null while its webhook is switched off.
  next_attempt_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null
);
comment on table webhook_deliveries is 'merlon:bulk';
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_status on webhook_deliveries (webhook_id, status, id desc);
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, attempts)
  where status = 'pending';
create index webhook_deliveries_parked on webhook_deliveries (webhook_id)
  where status = 'pending' and next_attempt_at is null;
create index webhook_deliveries_app on webhook_deliveries (app_id);
create index webhook_deliveries_age on webhook_deliveries (created_at);
