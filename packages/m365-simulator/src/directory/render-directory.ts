import type { JsonObject } from '../values/json.ts';
import { addressName } from '../values/names.ts';
import { guidOf } from '../values/seeded.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Group, Person } from '../state/directory.ts';

export const SKU_ID = '6fd2c87f-b296-42f0-b197-1e91e994b900';
export const EXCHANGE_PLAN = 'efb87545-963c-4e0d-99df-69c6916d9eb0';
export const SHAREPOINT_PLAN = '5dbe027f-2339-4123-9542-606e4d348a72';

/** Times as the directory writes them: to the second. */
export function seconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The properties of a user that come without `$select`. */
export const USER_DEFAULTS = [
  'businessPhones',
  'displayName',
  'givenName',
  'jobTitle',
  'mail',
  'mobilePhone',
  'officeLocation',
  'preferredLanguage',
  'surname',
  'userPrincipalName',
  'id',
];

function licences(person: Person): readonly JsonObject[] {
  if (person.kind !== 'member' || !person.hasMailbox) return [];
  return [{ skuId: SKU_ID, disabledPlans: person.hasDrive ? [] : [SHAREPOINT_PLAN] }];
}

/** All fifteen, as Microsoft answers them. */
function extensionAttributes({ extensionAttributes: known = {} }: Person): JsonObject {
  const names = Array.from({ length: 15 }, (_, index) => `extensionAttribute${index + 1}`);
  return Object.fromEntries(names.map((name) => [name, known[name] ?? null]));
}

function workplaceOf(person: Person): JsonObject {
  const [office, country] = person.language === 'de' ? ['Berlin', 'Germany'] : ['London', 'United Kingdom'];
  return {
    officeLocation: person.officeLocation ?? office,
    country: person.country ?? country,
    companyName: person.companyName ?? null,
    onPremisesExtensionAttributes: extensionAttributes(person),
  };
}

/** A user with every property that the simulator knows. */
export function renderUser(person: Person): JsonObject {
  const isGuest = person.kind === 'guest';
  return {
    id: person.id,
    displayName: person.displayName,
    givenName: person.givenName === '' ? null : person.givenName,
    surname: person.surname === '' ? null : person.surname,
    userPrincipalName: person.userPrincipalName,
    mail: person.mail,
    mailNickname: addressName(person.displayName),
    businessPhones: [],
    mobilePhone: null,
    ...workplaceOf(person),
    preferredLanguage: person.language === 'de' ? 'de-DE' : 'en-GB',
    department: person.department === '' ? null : person.department,
    jobTitle: person.jobTitle === '' ? null : person.jobTitle,
    usageLocation: isGuest ? null : person.language === 'de' ? 'DE' : 'GB',
    accountEnabled: person.accountEnabled,
    userType: isGuest ? 'Guest' : 'Member',
    externalUserState: isGuest ? 'Accepted' : null,
    createdDateTime: seconds(person.createdMs),
    assignedLicenses: licences(person),
    proxyAddresses: person.mail === '' ? [] : [`SMTP:${person.mail}`],
    onPremisesSyncEnabled: null,
  };
}

/** A group with every property that the simulator knows. */
export function renderGroup(tenant: Tenant, group: Group): JsonObject {
  const isUnified = group.kind === 'unified';
  const mail = `${group.mailNickname}@${tenant.directory.domain}`;
  return {
    id: group.id,
    deletedDateTime: null,
    classification: null,
    createdDateTime: seconds(group.createdMs),
    description: group.description,
    displayName: group.displayName,
    groupTypes: isUnified ? ['Unified'] : [],
    mail: isUnified ? mail : null,
    mailEnabled: isUnified,
    mailNickname: group.mailNickname,
    proxyAddresses: isUnified ? [`SMTP:${mail}`] : [],
    renewedDateTime: seconds(group.createdMs),
    resourceProvisioningOptions: group.isTeam ? ['Team'] : [],
    securityEnabled: !isUnified,
    securityIdentifier: `S-1-12-1-${Number.parseInt(group.id.slice(0, 8), 16)}-1`,
    visibility: isUnified ? group.visibility : null,
  };
}

/** The organisation: name, domains, where its data is. */
export function renderOrganisation(tenant: Tenant): JsonObject {
  const { label } = tenant.directory;
  const domain = (name: string, isDefault: boolean): JsonObject => ({
    capabilities: 'Email, OfficeCommunicationsOnline',
    isDefault,
    isInitial: name.endsWith('.onmicrosoft.com'),
    name,
    type: 'Managed',
  });
  return {
    id: tenant.tenantId,
    displayName: tenant.recipe.displayName,
    createdDateTime: seconds(tenant.epochMs - 2500 * 86_400_000),
    countryLetterCode: 'DE',
    city: 'Berlin',
    preferredLanguage: 'de',
    technicalNotificationMails: [`admin@${label}.com`],
    businessPhones: [],
    tenantType: 'AAD',
    verifiedDomains: [domain(`${label}.com`, true), domain(`${label}.onmicrosoft.com`, false)],
    assignedPlans: [],
  };
}

export function servicePlans(): readonly JsonObject[] {
  return [
    { servicePlanId: EXCHANGE_PLAN, servicePlanName: 'EXCHANGE_S_ENTERPRISE', provisioningStatus: 'Success', appliesTo: 'User' },
    { servicePlanId: SHAREPOINT_PLAN, servicePlanName: 'SHAREPOINTENTERPRISE', provisioningStatus: 'Success', appliesTo: 'User' },
  ];
}

export function renderSku(tenant: Tenant): JsonObject {
  const consumed = tenant.directory.users().filter((person) => licences(person).length > 0).length;
  return {
    id: `${tenant.tenantId}_${SKU_ID}`,
    accountName: tenant.recipe.label,
    accountId: tenant.tenantId,
    appliesTo: 'User',
    capabilityStatus: 'Enabled',
    consumedUnits: consumed,
    skuId: SKU_ID,
    skuPartNumber: 'ENTERPRISEPREMIUM',
    subscriptionIds: [guidOf(tenant.seed, 'subscription')],
    prepaidUnits: { enabled: consumed + 5, suspended: 0, warning: 0, lockedOut: 0 },
    servicePlans: servicePlans(),
  };
}
