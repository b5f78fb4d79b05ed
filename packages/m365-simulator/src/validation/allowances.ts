/**
 * What responses and requests carry although the metadata does not declare it. Every name has its source;
 * nothing else gets past the validator, open type or not.
 */
interface Allowance {
  readonly names: readonly string[] | 'any';
  readonly source: string;
}

const ALLOWANCES: Readonly<Record<string, readonly Allowance[]>> = {
  'microsoft.graph.fieldValueSet': [{ names: 'any', source: 'fieldValueSet resource: one property for each column of the list' }],
  'microsoft.graph.file': [{ names: ['archiveStatus'], source: 'Microsoft 365 Archive, developer guidance: enumerating files' }],
  'microsoft.graph.identity': [
    { names: ['email'], source: 'driveItem and permission examples: identity of a user with e-mail address' },
    { names: ['tenantId'], source: 'chat: getAllMessages example: user identity with tenantId' },
    { names: ['userPrincipalName'], source: 'sharePointIdentitySet examples: user with its sign-in name' },
    { names: ['userIdentityType'], source: 'chatMessage examples, import included: user identity without @odata.type' },
    { names: ['loginName'], source: 'sharePointIdentitySet examples: user identity with loginName' },
  ],
  'microsoft.graph.identitySet': [
    { names: ['group'], source: 'drive resource examples: owner.group of a group or site drive' },
    { names: ['conversation', 'tag'], source: 'chatMessageMentionedIdentitySet resource' },
  ],
  'microsoft.graph.exportItemResponse': [
    { names: ['data'], source: 'mailbox: exportItems, response example: the stream inline as base64' },
  ],
  'microsoft.graph.attachmentSession': [
    { names: ['ExpirationDateTime', 'NextExpectedRanges'], source: 'attach large files to a To Do task: answer to a part, with capitals' },
  ],
  'microsoft.graph.teamsTabConfiguration': [
    {
      names: ['wikiTabId', 'wikiDefaultTab', 'hasContent', 'dateAdded'],
      source: 'configuring built-in tabs: wiki and SharePoint page tabs',
    },
    { names: ['notebookId', 'sectionId', 'pageId'], source: 'configuring built-in tabs: OneNote tab' },
  ],
  'microsoft.graph.team': [
    { names: ['template@odata.bind', 'owners@odata.bind'], source: 'create team: request examples' },
    { names: ['@microsoft.graph.teamCreationMode'], source: 'import messages: create team in migration mode' },
  ],
};

/** Navigation properties that come along without being named in `$expand`, by type. */
const IMPLICIT: Readonly<Record<string, readonly Allowance[]>> = {
  'microsoft.graph.canvasLayout': [
    { names: ['horizontalSections', 'verticalSection'], source: 'sitePage: get with $expand=canvasLayout, example' },
  ],
  'microsoft.graph.horizontalSection': [{ names: ['columns'], source: 'sitePage: get with $expand=canvasLayout, example' }],
  'microsoft.graph.horizontalSectionColumn': [{ names: ['webparts'], source: 'sitePage: get with $expand=canvasLayout, example' }],
  'microsoft.graph.verticalSection': [{ names: ['webparts'], source: 'sitePage: get with $expand=canvasLayout, example' }],
};

/** Parameters of actions that the reference documents and the metadata lacks, by action. */
const PARAMETERS: Readonly<Record<string, readonly Allowance[]>> = {
  createUploadSession: [{ names: ['deferCommit'], source: 'driveItem: createUploadSession, optional request body' }],
  createLink: [
    {
      names: ['sendNotification', 'password', 'expirationDateTime', 'retainInheritedPermissions'],
      source: 'driveItem: createLink, request body',
    },
  ],
  invite: [{ names: ['password', 'expirationDateTime', 'retainInheritedPermissions'], source: 'driveItem: invite, request body' }],
};

/** Annotations of a property other than `@odata.*`. */
const ANNOTATIONS: readonly Allowance[] = [{ names: ['members@delta', 'owners@delta'], source: 'group: delta, changes of membership' }];

function allows(allowances: readonly Allowance[] | undefined, name: string): boolean {
  return allowances?.some(({ names }) => names === 'any' || names.includes(name)) ?? false;
}

/** True when `type` itself (not an ancestor) may carry the undeclared property `name`. */
export function allowsProperty(type: string, name: string): boolean {
  return allows(ALLOWANCES[type], name);
}

/** True when the navigation property comes along with its type unasked. */
export function isImplicitlyExpanded(type: string, name: string): boolean {
  return allows(IMPLICIT[type], name);
}

/** True when the action may carry the undeclared parameter `name`. */
export function allowsParameter(action: string, name: string): boolean {
  return allows(PARAMETERS[action], name);
}

/** True when `name` is a documented annotation outside the `@odata` namespace. */
export function allowsAnnotation(name: string): boolean {
  return allows(ANNOTATIONS, name);
}
