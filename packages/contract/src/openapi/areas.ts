/** One sentence for each area of the endpoint table; the document's tags. */
export const areaDescriptions: Readonly<Record<string, string>> = {
  accounts: 'Accounts own apps. Only the operator sees and changes accounts.',
  apps: 'The apps that an account protects, with their keys, plans and settings.',
  audit: 'Who changed what, when and from where, in a log whose hash chain shows tampering.',
  auth: 'Signing in and out, and who the caller is.',
  baselines: 'What is normal for an app, learned in seven days, and what departs from it.',
  events: 'What happened in the protected apps: ingest, search, analytics and the live stream.',
  keys: 'API keys of the account.',
  system: 'Health, metrics and this document; outside of /api.',
  users: 'The people who sign in to an account.',
  webhooks: 'Signed calls that carry events of an app to an address, and their log.',
}
