import type { Example } from './example.ts';

const EVENTUAL = { consistencylevel: 'eventual' };
const ADVANCED = 'Request_UnsupportedQuery';

/** Organisation, people, groups, batches. */
export const directoryExamples: readonly Example[] = [
  { asks: 'GET /organization', status: 200, has: ['id', 'displayName', 'verifiedDomains'] },
  { asks: 'GET /organization?$select=id,displayName', status: 200, has: ['displayName'] },
  { asks: 'GET /subscribedSkus', status: 200, has: ['skuId', 'skuPartNumber', 'prepaidUnits'] },
  { asks: 'GET /users', status: 200, has: ['id', 'displayName', 'userPrincipalName', 'businessPhones'] },
  { asks: 'GET /users?$top=1', status: 200, has: ['id'] },
  { asks: 'GET /users?$select=displayName,mail,accountEnabled', status: 200, has: ['displayName', 'mail', 'accountEnabled'] },
  { asks: "GET /users?$filter=userType eq 'Member'", status: 200, has: ['id'] },
  { asks: 'GET /directory/deletedItems/microsoft.graph.user?$select=id,deletedDateTime', status: 200 },
  { asks: 'GET /users?$filter=accountEnabled eq true&$select=id', status: 200, has: ['id'] },
  { asks: "GET /users?$filter=startsWith(displayName,'e')", status: 200 },
  { asks: 'GET /users?$orderby=displayName', status: 200, has: ['displayName'] },
  { asks: "GET /users?$filter=endsWith(mail,'.com')&$count=true", headers: EVENTUAL, status: 200, has: ['id'] },
  { asks: "GET /users?$filter=endsWith(mail,'.com')&$count=true", status: 400, code: ADVANCED },
  { asks: 'GET /users?$search="displayName:e"', headers: EVENTUAL, status: 200 },
  { asks: 'GET /users?$search="displayName:e"', status: 400, code: ADVANCED },
  { asks: 'GET /users/$count', headers: EVENTUAL, status: 200 },
  { asks: 'GET /users/$count', status: 400, code: 'Request_BadRequest' },
  { asks: 'GET /users?$skip=5', status: 400, code: 'Request_BadRequest' },
  { asks: 'GET /users?$top=1000', status: 400, code: ADVANCED },
  { asks: 'GET /users?$select=nonsense', status: 400, code: 'BadRequest' },
  { asks: 'GET /users/delta', status: 200, has: ['id', 'displayName'] },
  { asks: 'GET /users/delta?$select=displayName,mail', status: 200, has: ['displayName'] },
  { asks: 'GET /users/{user}', status: 200, has: ['id', 'userPrincipalName', 'jobTitle'] },
  { asks: 'GET /users/{upn}?$select=id,mail', status: 200, has: ['id', 'mail'] },
  { asks: 'GET /users/nobody@example.invalid', status: 404, code: 'Request_ResourceNotFound' },
  { asks: 'GET /users/{user}/licenseDetails', status: 200, has: ['skuId', 'servicePlans'] },
  { asks: 'GET /groups', status: 200, has: ['id', 'displayName', 'groupTypes'] },
  {
    asks: "GET /groups?$filter=resourceProvisioningOptions/Any(x:x eq 'Team')",
    status: 200,
    is: { resourceProvisioningOptions: ['Team'] },
  },
  { asks: 'GET /groups/delta?$select=displayName,members', status: 200, has: ['displayName'] },
  { asks: 'GET /groups/{group}/members', status: 200, has: ['@odata.type', 'id'] },
  { asks: 'GET /groups/{group}/transitiveMembers?$select=id,displayName', status: 200, has: ['id', 'displayName'] },
  { asks: 'GET /groups/{group}/members/microsoft.graph.user?$count=true', headers: EVENTUAL, status: 200, has: ['userPrincipalName'] },
  { asks: 'GET /groups/{group}/owners', status: 200, has: ['@odata.type', 'id'] },
  { asks: 'GET /groups/{group}/owners?$select=id,displayName,accountEnabled', status: 200, has: ['id', 'accountEnabled'] },
  { asks: 'GET /groups/{group}/owners?$select=nonsense', status: 400, code: 'BadRequest' },
  { asks: 'GET /groups/nobody/owners', status: 400, code: 'Request_BadRequest' },
  { asks: 'GET /groups/{group}/drives', status: 200, has: ['id', 'driveType'] },
  {
    asks: 'POST /$batch',
    body: {
      requests: [
        { id: '1', method: 'GET', url: '/users?$top=1' },
        { id: '2', method: 'GET', url: '/nothing' },
      ],
    },
    status: 200,
    has: ['responses'],
  },
  { asks: 'POST /$batch', body: { requests: [] }, status: 400, code: 'BadRequest' },
  { asks: 'GET /admin/reportSettings', status: 200, has: ['displayConcealedNames'] },
  { asks: "GET /reports/getMailboxUsageDetail(period='D7')", status: 302 },
  { asks: 'GET /nothing', status: 400, code: 'BadRequest' },
];
