/** What the reader of a problem can do. */
export const advice = {
  retryNextRun: 'The next run tries again by itself.',
  grantRole: 'Grant the missing permission in Entra, then test the connection.',
  assignLicence: 'Assign a licence, or leave it out of the job.',
  waitForProvisioning: 'Wait until Microsoft has set it up.',
  askAccessPolicy: 'Ask your Exchange administrator to open this mailbox to the app (RBAC for Applications or application access policy).',
  removeMalware: 'Clean or delete the item in Microsoft 365.',
  openInApp: 'Open the item in its app and save it again.',
  freeSpace: 'Free space in Microsoft 365.',
  unlockItem: 'Close the item where it is open.',
  reactivate: 'Reactivate it in Microsoft 365 if its content is needed.',
  notPossible: 'Nothing can be done: Microsoft does not allow it.',
  checkSource: 'Look at the item in Microsoft 365.',
  runArchiveJob:
    'Run the archive job, or remove it if nothing is to be archived any more. The next deletion then takes these restore points.',
  repairVault: 'Keep the vault as it is and repair it from a second copy, with the console command "admin vault repair".',
  none: 'Nothing.',
} as const;
