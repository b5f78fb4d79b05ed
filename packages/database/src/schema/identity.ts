import type { ColumnType, GeneratedTimestamp, NullableTimestamp, Timestamp, Generated } from './columns.ts';

type Audience = 'main' | 'staging' | 'legacy';

export interface AccountsTable {
  id: string;
  email: string;
  normalised_email: string;
  user_name: string;
  password_hash: string | null;
  email_confirmed: Generated<boolean>;
  security_stamp: string;
  totp_key: Buffer | null;
  totp_enabled: Generated<boolean>;
  recovery_salt: Buffer | null;
  failed_count: Generated<number>;
  lockout_enabled: Generated<boolean>;
  locked_until: NullableTimestamp;
  first_name: Generated<string>;
  last_name: Generated<string>;
  phone_number: Generated<string>;
  language: Generated<'en' | 'de'>;
  summary_mails: Generated<boolean>;
  disabled_at: NullableTimestamp;
  vouched_at: NullableTimestamp;
  created_at: Timestamp;
  last_sign_in_at: NullableTimestamp;
}
interface AccountChoicesTable {
  account_id: string;
  realm: 'production' | 'staging';
  chosen_organisation_id: string;
  chosen_worker_id: string | null;
}
interface SignInFailuresTable {
  address_hash: Buffer;
  failed_count: number;
  locked_until: NullableTimestamp;
  last_at: Timestamp;
}
interface RecoveryCodesTable {
  account_id: string;
  code_hash: Buffer;
}
interface UsedTotpStepsTable {
  account_id: string;
  step: number;
}
interface AccountCodesTable {
  code_hash: Buffer;
  account_id: string;
  purpose: 'confirm' | 'change' | 'reset' | 'link';
  security_stamp: string;
  new_email: string | null;
  session_id: string | null;
  created_at: Timestamp;
  expires_at: Timestamp;
}
export interface SessionsTable {
  id: string;
  account_id: string;
  kind: 'bearer' | 'cookie' | 'portal';
  audiences: Audience[];
  amr: 'pwd' | 'mfa';
  persistent: Generated<boolean>;
  address: string;
  user_agent: string;
  created_at: Timestamp;
  last_active_at: Timestamp;
  ends_at: Timestamp;
  ended_at: NullableTimestamp;
  ended_why: string | null;
  closed_to: Generated<string[]>;
  only_for: ColumnType<string | null, string | null | undefined, never>;
}
export interface SessionTokensTable {
  token_hash: Buffer;
  session_id: string;
  audience: Audience | 'portal';
  kind: 'access' | 'refresh' | 'cookie' | 'download';
  security_stamp: string;
  user_name: string;
  email: string;
  amr: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  replaced_at: NullableTimestamp;
}
interface ProvidedAccountsTable {
  provider_of: string;
  issuer: string;
  subject: string;
  account_id: string;
  created_at: Timestamp;
}
interface ProvidedAttemptsTable {
  state_hash: Buffer;
  provider_of: string;
  browser_hash: Buffer;
  expires_at: Timestamp;
}
interface RememberedMachinesTable {
  token_hash: Buffer;
  account_id: string;
  security_stamp: string;
  expires_at: Timestamp;
}
interface SignInChallengesTable {
  challenge_hash: Buffer;
  account_id: string;
  channel: 'totp' | 'email' | 'passkey';
  audiences: Audience[];
  agent_family: string;
  code_mac: Buffer | null;
  code_expires_at: NullableTimestamp;
  attempts: Generated<number>;
  created_at: Timestamp;
  expires_at: Timestamp;
  completed_at: NullableTimestamp;
  failed_at: NullableTimestamp;
}
interface PasskeysTable {
  id: string;
  account_id: string;
  rp_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: Timestamp;
  last_used_at: NullableTimestamp;
}
interface PasskeyChallengesTable {
  challenge_hash: Buffer;
  purpose: 'register' | 'sign-in' | 'second-factor';
  bound_to: Buffer;
  account_id: string | null;
  expires_at: Timestamp;
}
interface CodeSendsTable {
  id: string;
  account_id: string;
  sent_at: Timestamp;
}
interface SetupTokensTable {
  token_hash: Buffer;
  expires_at: Timestamp;
}
interface MailsTable {
  id: string;
  sealed: Buffer | null;
  created_at: Timestamp;
  next_attempt_at: Timestamp;
  attempts: Generated<number>;
  sent_at: NullableTimestamp;
  last_error: string | null;
}
interface InstallationKeysTable {
  purpose: string;
  key_id: string;
  master_key_id: string;
  wrapped: Buffer;
  created_at: GeneratedTimestamp;
}
interface RateLimitsTable {
  key: string;
  points: number;
  expire: number | null;
}

/** Accounts and what belongs to them; one set per installation. */
export interface IdentityTables {
  accounts: AccountsTable;
  account_choices: AccountChoicesTable;
  sign_in_failures: SignInFailuresTable;
  recovery_codes: RecoveryCodesTable;
  used_totp_steps: UsedTotpStepsTable;
  account_codes: AccountCodesTable;
  sessions: SessionsTable;
  session_tokens: SessionTokensTable;
  provided_accounts: ProvidedAccountsTable;
  provided_attempts: ProvidedAttemptsTable;
  remembered_machines: RememberedMachinesTable;
  sign_in_challenges: SignInChallengesTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  code_sends: CodeSendsTable;
  setup_tokens: SetupTokensTable;
  mails: MailsTable;
  installation_keys: InstallationKeysTable;
  rate_limits: RateLimitsTable;
}
