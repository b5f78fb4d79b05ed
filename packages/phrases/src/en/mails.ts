/** Mails of the product. `{{name}}` marks what is filled in; each paragraph is one text. */
export const mails = {
  greeting: 'Hello,',
  closing: 'This mail was sent by Holdfast at {{address}}. Nobody will ever ask you for your password or a code.',
  linkHint: 'If the button does not work, copy this address into your browser:',
  confirm: {
    subject: 'Confirm your email',
    text: 'Please confirm that this is your email address. The link is valid for 24 hours.',
    button: 'Confirm email',
    ignore: 'If you did not ask for this, you can ignore this mail.',
  },
  changeEmail: {
    subject: 'Confirm your email',
    text: 'Please confirm that this is the new email address of your account. The link is valid for 24 hours.',
    button: 'Confirm new email',
    ignore: 'If you did not ask for this, you can ignore this mail: nothing will change.',
  },
  reset: {
    subject: 'Reset your password',
    text: 'Somebody asked to reset the password of your account. The link is valid for 30 minutes and works once.',
    button: 'Set a new password',
    ignore: 'If this was not you, you can ignore this mail: your password stays as it is.',
  },
  resetCode: {
    subject: 'Reset your password',
    text: 'Somebody asked to reset the password of your account. Enter this code; it is valid for 30 minutes and works once: {{code}}',
    ignore: 'If this was not you, you can ignore this mail: your password stays as it is.',
  },
  signInCode: {
    subject: 'Your verification code: {{code}}',
    text: 'Your verification code is {{code}}. It is valid for 10 minutes.',
    ignore: 'If you are not signing in right now, somebody knows your password: change it.',
  },
  invitation: {
    subject: 'You have been invited to {{organisation}}',
    text: '{{inviter}} invites you to {{organisation}} as {{role}}. Open the invitation to sign in, or to create your account, and accept it. The link is valid for 7 days.',
    button: 'Open the invitation',
    ignore: 'If you do not know what this is about, you can ignore this mail.',
  },
  alreadyRegistered: {
    subject: 'You already have an account',
    text: 'Somebody tried to register with your email address. You already have an account. If you forgot the password, you can set a new one.',
    button: 'Set a new password',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    text: 'The password of your account was changed and all other devices were signed out.',
    ignore: 'If this was not you, reset your password at once and tell your administrator.',
  },
  emailChanging: {
    subject: 'Your email address is being changed',
    text: 'Somebody who is signed in to your account asked to change its email address. The change takes effect when the new address is confirmed.',
    ignore: 'If this was not you, change your password at once and tell your administrator.',
  },
  runFailed: {
    subject: 'Failed: {{job}} ({{tenant}})',
    text: 'A run of {{job}} for {{tenant}} failed. The job monitor says why and what you can do.',
    button: 'See the run',
  },
  runDefective: {
    subject: 'Partly successful: {{job}} ({{tenant}})',
    text: 'A run of {{job}} for {{tenant}} was partly successful. Errors: {{errors}}, items: {{processed}}. The report names each error.',
    button: 'See the errors',
  },
  verifyDeviation: {
    subject: 'The vault is not as it should be: {{location}} ({{tenant}})',
    text: 'A verification of {{location}} for {{tenant}} found {{errors}} deviations from what must be there. Until they are cleared up, do not count on every restore point:',
    button: 'See what deviates',
    ignore: 'Keep the vault as it is, delete nothing, and find out who had access to it. A second copy can repair it.',
  },
  daySummary: {
    subject: 'Summary of {{date}}: {{failed}} failed, {{defective}} partly successful',
    text: 'Runs of the last 24 hours: {{successful}} successful, {{defective}} partly successful, {{failed}} failed, {{cancelled}} cancelled, {{skipped}} skipped.',
    button: 'Open the job monitor',
  },
  monthlyReport: {
    subject: 'Monthly report {{month}}: {{tenant}}',
    text: 'The report of {{month}} for {{tenant}} is ready. It is attached as a PDF file and kept in the portal. {{verdict}} The most important points:',
    button: 'Open the report',
    ignore: 'To stop these mails, switch off monthly reports by e-mail in the settings of your organisation.',
  },
  procedureDue: {
    subject: 'Procedure documentation of {{tenant}} is a year old',
    text: 'The procedure documentation of {{tenant}} was last created a year ago. Check your own sections and create a new version.',
    button: 'Open the procedure documentation',
  },
  searchFound: {
    subject: 'New hits: {{name}}',
    text: 'Your saved search "{{name}}" has found new items. Number of new items: {{hits}}.',
    button: 'Open the search',
    ignore: 'To stop these mails, switch off the alert of this saved search.',
  },
  contentOpened: {
    subject: 'What is kept of {{name}} was opened',
    text: '{{reader}} has opened content of {{name}} that is kept in the backup of your organisation. The reason given: {{reason}}',
    ignore: 'If you have questions about this, ask your organisation. The audit log has the details.',
  },
  auditDeviation: {
    subject: 'The audit log is not as it should be ({{date}})',
    text: 'The nightly verification found places where the audit log does not fit its signed checkpoints. Somebody may have changed it past the program.',
    button: 'Open the audit log',
    ignore: 'Keep the database and the data directory as they are, and find out who had access to them.',
  },
  forwardingStalled: {
    subject: 'Audit events are not arriving: {{name}}',
    text: 'The destination "{{name}}" has not accepted audit events since {{since}}. No event is lost: all of them wait until the receiver is available again.',
    button: 'Open audit forwarding',
  },
  journalSilent: {
    subject: 'No journal mail is arriving: {{name}}',
    text: 'The receiver "{{name}}" has had no journal mail since {{since}}. Messages that are not journaled now may be missing from the archive: Exchange stops trying after about two days. Check the journal rule and the connector in the Exchange admin center.',
    button: 'Open the receiver',
  },
  archiveIncomplete: {
    subject: 'Messages are missing in the archive',
    text: 'The daily comparison of archives and backups found {{messages}} messages that backups have and archives have not. Mailboxes ({{mailboxes}}): {{names}}. The next run of the archive job takes them in. Look at the mailbox afterwards: what is still missing then needs support.',
    button: 'Open the mailboxes',
  },
  approvalAsked: {
    subject: 'Your approval is needed: {{name}}',
    text: '{{requester}} asks for this: {{what}} It comes into force only when a second person approves it.',
    button: 'Approve or refuse',
    ignore: 'If you do not know why this is asked for, refuse it.',
  },
  approvalExpired: {
    subject: 'Nobody decided in 7 days: {{name}}',
    text: 'You asked for this: {{what}} Nobody approved or refused it, so it has lapsed and nothing changes. You can ask again.',
    button: 'See approvals',
    ignore: 'If you did not ask for this, sign in and change your password.',
  },
  approvalDelayed: {
    subject: 'In 24 hours without a second person: {{name}}',
    text: '{{requester}} asked for this: {{what}} There is nobody else who could approve it, so it comes into force by itself at {{at}}.',
    button: 'See or stop it',
    ignore: 'If this was not you, sign in at once, withdraw it and change your password.',
  },
  runLine: '{{job}}, {{tenant}}: {{status}}',
  roles: { owner: 'owner', administrator: 'administrator', operator: 'operator', auditor: 'auditor', reader: 'reader' },
} as const;
