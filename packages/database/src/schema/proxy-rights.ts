import type { Generated, NullableTimestamp, OrganisationColumns, Timestamp } from './columns.ts';

interface ProxyRightsTable extends OrganisationColumns {
  proxy_right_id: string;
  tenant_id: string;
  holder_kind: 'account' | 'group';
  holder_id: string;
  holder_name: string;
  holder_address: string;
  target_kind: 'account' | 'group' | 'everyone';
  target_id: string | null;
  target_name: string;
  target_address: string;
  may: ('read' | 'export' | 'restore')[];
  mail_from: NullableTimestamp;
  mail_to: NullableTimestamp;
  access_from: Timestamp;
  access_to: Timestamp;
  purpose: string;
  granted_by: string;
  granter: string;
  granted_at: Timestamp;
  remover: string | null;
  removed_at: NullableTimestamp;
  includes_private: Generated<boolean>;
}
interface PrivateMessagesTable extends OrganisationColumns {
  tenant_id: string;
  graph_id: string;
  message_id: string;
  marked_by: string;
  marked_at: Timestamp;
}
interface ProxyPartiesTable extends OrganisationColumns {
  tenant_id: string;
  party_id: string;
  kind: 'account' | 'group';
  synchronised_at: Timestamp;
}
interface ProxyPeopleTable extends OrganisationColumns {
  tenant_id: string;
  party_id: string;
  person_id: string;
  addresses: string[];
  gone_at: NullableTimestamp;
}

interface ProxyExemptionsTable extends OrganisationColumns {
  exemption_id: string;
  tenant_id: string;
  party_kind: 'account' | 'group';
  party_id: string;
  party_name: string;
  party_address: string;
  reason: string;
  adder: string;
  added_at: Timestamp;
  ended_at: NullableTimestamp;
}

/** Proxy rights, and the people they name as the directory last had them. */
export interface ProxyRightTables {
  proxy_rights: ProxyRightsTable;
  private_messages: PrivateMessagesTable;
  proxy_parties: ProxyPartiesTable;
  proxy_people: ProxyPeopleTable;
  proxy_exemptions: ProxyExemptionsTable;
}
