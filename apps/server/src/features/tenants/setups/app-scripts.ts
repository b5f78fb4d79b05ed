import type { AskedPermission } from '@holdfast/contract/app-setups';

/** The app that answers for Microsoft Graph, the same in every tenant. */
export const microsoftGraph = '00000003-0000-0000-c000-000000000000';

export interface AppToRegister {
  readonly appName: string;
  /** PEM; null where the app is to sign in with a secret. */
  readonly certificate: string | null;
  readonly permissions: readonly AskedPermission[];
  /** Where Microsoft Graph answers: another address in national clouds. */
  readonly graphUrl: string;
}

function requiredAccess(permissions: readonly AskedPermission[]): object[] {
  return [{ resourceAppId: microsoftGraph, resourceAccess: permissions.map(({ roleId }) => ({ id: roleId, type: 'Role' })) }];
}

/** What the manifest of the app says of its permissions. */
export function manifestOf(permissions: readonly AskedPermission[]): string {
  return JSON.stringify({ requiredResourceAccess: requiredAccess(permissions) }, null, 2);
}

function applicationOf({ appName, certificate, permissions }: AppToRegister): string {
  const key = certificate?.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  const keys = key === undefined ? {} : { keyCredentials: [{ type: 'AsymmetricX509Cert', usage: 'Verify', key }] };
  const application = {
    displayName: appName,
    signInAudience: 'AzureADMyOrg',
    requiredResourceAccess: requiredAccess(permissions),
    ...keys,
  };
  return JSON.stringify(application, null, 2);
}

const azureSecret = `secret=$(call POST "/applications/$object/addPassword" '{"passwordCredential":{"displayName":"Holdfast"}}' secretText)`;

/** For bash with Azure CLI: on a computer of one's own, or in the Cloud Shell of the Azure portal. */
export function azureCliScript(app: AppToRegister): string {
  const isSecret = app.certificate === null;
  return `#!/usr/bin/env bash
# Sign in first, as Global Administrator or Privileged Role Administrator: az login --allow-no-subscriptions
set -euo pipefail
graph=${app.graphUrl}/v1.0

call() { # method, path, body, what to print of the answer
  az rest --method "$1" --url "$graph$2" --headers Content-Type=application/json --body "$3" --query "$4" --output tsv
}
patiently() { # What was just made is known everywhere some seconds later.
  for turn in 1 2 3 4 5 6 7 8 9 10 11; do "$@" && return; sleep 5; done
  "$@"
}

application=$(cat <<'JSON'
${applicationOf(app)}
JSON
)
created=$(call POST /applications "$application" '[id,appId]')
read -r object client <<< "$(echo $created)"
principal=$(patiently call POST /servicePrincipals "{\\"appId\\":\\"$client\\"}" id)
resource=$(az rest --method GET --url "$graph/servicePrincipals(appId='${microsoftGraph}')" --query id --output tsv)
for role in \\
${app.permissions.map(({ roleId }) => `  ${roleId}`).join(' \\\n')}
do
  patiently call POST "/servicePrincipals/$principal/appRoleAssignments" \\
    "{\\"principalId\\":\\"$principal\\",\\"resourceId\\":\\"$resource\\",\\"appRoleId\\":\\"$role\\"}" id > /dev/null
done
${isSecret ? `${azureSecret}\n` : ''}
echo "Directory (tenant) ID:    $(az account show --query tenantId --output tsv)"
echo "Application (client) ID:  $client"
${isSecret ? 'echo "Client secret:            $secret"\n' : ''}`;
}

const powerShellSecret = `$secret = Call POST "/applications/$($made.id)/addPassword" '{"passwordCredential":{"displayName":"Holdfast"}}'`;

/** For PowerShell with Microsoft's own module. */
export function powerShellScript(app: AppToRegister): string {
  const isSecret = app.certificate === null;
  return `# Once before: Install-Module Microsoft.Graph.Authentication -Scope CurrentUser
# The sign-in asks for a Global Administrator or Privileged Role Administrator.
$ErrorActionPreference = 'Stop'
Connect-MgGraph -Scopes 'Application.ReadWrite.All', 'AppRoleAssignment.ReadWrite.All' -NoWelcome
$graph = '${app.graphUrl}/v1.0'

function Call($Method, $Path, $Body) {
  # What was just made is known everywhere some seconds later.
  for ($turn = 1; ; $turn++) {
    try { return Invoke-MgGraphRequest -Method $Method -Uri "$graph$Path" -Body $Body -ContentType 'application/json' }
    catch { if ($turn -ge 12) { throw }; Start-Sleep -Seconds 5 }
  }
}

$application = @'
${applicationOf(app)}
'@
$made = Invoke-MgGraphRequest -Method POST -Uri "$graph/applications" -Body $application -ContentType 'application/json'
$principal = Call POST '/servicePrincipals' "{\`"appId\`":\`"$($made.appId)\`"}"
$resource = Invoke-MgGraphRequest -Method GET -Uri "$graph/servicePrincipals(appId='${microsoftGraph}')"
foreach ($role in @(
${app.permissions.map(({ roleId }) => `  '${roleId}'`).join(',\n')}
)) {
  $grant = "{\`"principalId\`":\`"$($principal.id)\`",\`"resourceId\`":\`"$($resource.id)\`",\`"appRoleId\`":\`"$role\`"}"
  Call POST "/servicePrincipals/$($principal.id)/appRoleAssignments" $grant | Out-Null
}
${isSecret ? `${powerShellSecret}\n` : ''}
"Directory (tenant) ID:    $((Get-MgContext).TenantId)"
"Application (client) ID:  $($made.appId)"
${isSecret ? '"Client secret:            $($secret.secretText)"\n' : ''}`;
}
