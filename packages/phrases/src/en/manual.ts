import type { Manual } from '../catalogue/manual.ts';
import { mailboxAccess } from './manual-access.ts';
import { completeArchive } from './manual-archive.ts';
import { connectTenant, registerApp } from './manual-connect.ts';
import { journalMail } from './manual-journal.ts';
import { accessRequest } from './manual-access-request.ts';
import { erasure } from './manual-erasure.ts';
import { legalHolds } from './manual-holds.ts';
import { retentionPolicies } from './manual-retention.ts';
import { auditors } from './manual-audit.ts';
import { reviewSets } from './manual-review.ts';
import { search } from './manual-search.ts';

export const manual: Manual = {
  groups: { start: 'Getting started', daily: 'Every day', restore: 'Getting something back', safety: 'Keeping it safe' },
  articles: {
    firstStart: {
      group: 'start',
      title: 'First start and first owner',
      question: 'How do I sign in for the first time?',
      blocks: [
        {
          kind: 'text',
          text: 'While there is no account, the server prints an address that ends in #setup= and a long key. It is good for 24 hours and for one use; each restart prints a new one.',
        },
        {
          kind: 'steps',
          items: [
            'Open the address from the output of the server.',
            'Enter your e-mail address, a password of at least 12 characters with a special character, and the name of your organisation.',
            'You are signed in as owner. Set up two-factor authentication in your profile next.',
          ],
        },
        {
          kind: 'note',
          text: 'Without a terminal at hand, an owner can be made by the console command "admin create-owner", or by the settings for the first owner.',
        },
      ],
    },
    registerApp,
    connectTenant,
    addLocation: {
      group: 'start',
      title: 'Add a location',
      question: 'Where is my data stored?',
      blocks: [
        {
          kind: 'text',
          text: 'A location is a vault: a folder on a disk of the server, or a bucket in an S3 store. Everything in it is compressed, encrypted and named by what it contains, so that the same attachment is stored once.',
        },
        {
          kind: 'steps',
          items: [
            'Open Configuration, Tenants and locations, tab Locations, and choose New.',
            'Choose the kind and enter folder or bucket and keys.',
            'Choose Test. Holdfast writes, reads and deletes a small object and finds out whether the store offers conditional writes and object lock.',
            'With object lock, choose for how many days nobody can delete what has been written.',
          ],
        },
        {
          kind: 'note',
          text: 'Put the location on other hardware than the server, or copy the vault to a second place with the console command "admin vault copy". A backup beside its source is half a backup.',
        },
      ],
    },
    firstBackup: {
      group: 'start',
      title: 'The first backup',
      question: 'How do I back everything up?',
      blocks: [
        {
          kind: 'steps',
          items: [
            'Open Backup jobs and choose New job.',
            'Choose the workload and give the job a name of at least four characters.',
            'Choose everyone, or single users, groups, sites or teams. A group follows its members, those of groups in it too: newcomers are included from the next run on. Of Teams, single channels, the teams of members, and an expression for the names of teams can be chosen too.',
            'Choose the location and when the job runs.',
            'Check the summary and create the job. "Start after creation" begins at once; otherwise choose Start.',
          ],
        },
        {
          kind: 'text',
          text: 'The first run reads everything and can take hours or days, because Microsoft limits how fast it may be read. It can be interrupted at any time and goes on where it was. Each later run reads only what has changed.',
        },
        {
          kind: 'note',
          text: 'Several jobs may cover the same mailbox, OneDrive, site or team. In one location, each of their runs reads what any of them chooses: a restore point is whole whichever job has made it. When a job is removed, what it alone chose leaves the next restore point; earlier ones keep it.',
        },
      ],
    },
    jobMonitor: {
      group: 'daily',
      title: 'Read the job monitor',
      question: 'How do I see whether all went well?',
      blocks: [
        {
          kind: 'table',
          head: ['Status', 'What it means', 'What to do'],
          rows: [
            ['Successful', 'Everything that was chosen is in the restore point.', 'Nothing.'],
            [
              'Defective',
              'The restore point is there, but single items could not be read. Each is listed with its reason.',
              'Open the run, read the list. Most heal by themselves with the next run.',
            ],
            [
              'Failed',
              'No new restore point. The earlier ones are untouched.',
              'Open the run: the message says what is wrong, for example a secret that has expired.',
            ],
            ['Skipped', 'The job was due while its previous run was still going on.', 'If it happens often, run the job less often.'],
            ['Cancelled', 'Somebody stopped the run. What had been saved is kept.', 'Start it again when you like.'],
          ],
        },
        {
          kind: 'text',
          text: 'Reports, tab Not protected, shows everything that no job protects and why: mailboxes without a licence, in-place archives, sites that nobody chose.',
        },
      ],
    },
    journalMail,
    completeArchive,
    search,
    restore: {
      group: 'restore',
      title: 'Get something back',
      question: 'How do I restore a deleted mail or file?',
      blocks: [
        {
          kind: 'steps',
          items: [
            'Open Restore and choose whose mailbox, drive, site or team it was. People who have left are in the list too.',
            'Choose when: the newest restore point, a day in the calendar, or search by name over all points if you do not know when it was last there.',
            'Open the folder, tick what you want. A folder takes along what is in it.',
            'Choose where to: the original place, a new folder, somebody else, or a download. Existing items are skipped unless you choose otherwise.',
            'The summary says what will happen and what cannot come back. Choose Restore and watch; the report names every item.',
          ],
        },
        {
          kind: 'note',
          text: 'No invitation and no sharing e-mail is ever sent by a restore. Replacing deletes the old item only after the new one is complete.',
        },
        {
          kind: 'text',
          text: 'A restore that was a mistake can be undone for 30 days: open its run and choose Undo this restore. What it created is removed, what it replaced is put back from the backup before it, and whatever somebody has changed since stays as it is. Messages in Teams cannot be removed by any application. The report names every item.',
        },
      ],
    },
    whatComesBack: {
      group: 'restore',
      title: 'What comes back, and what Microsoft does not allow',
      question: 'Why is something different after a restore?',
      blocks: [
        {
          kind: 'list',
          items: [
            'Mail comes back with its dates, sender, read state, flag, categories and folder. It is a copy made through the service: its internal id is new.',
            'Meetings come back without sending anything to attendees. The list of attendees stands in the text, because setting it would send invitations.',
            'Files come back with their times and, on request, with earlier versions and permissions. Who created and last changed a file cannot be set by anyone; the report names the original author.',
            'Office files are rewritten by SharePoint when they are uploaded. Their content is the same, their checksum is not.',
            'Sharing links get new addresses. Passwords of links cannot be restored.',
            'Channel messages come back with author and time. Reactions, mentions and cards come back as text.',
            'Files of a channel come back into the folder of the channel, with earlier versions as files do. The folder of a recreated channel appears after some minutes; the restore waits for it. A SharePoint job protects everything else on the site of the team.',
          ],
        },
        { kind: 'text', text: 'Every restore ends with a report that names such differences item by item.' },
      ],
    },
    retention: {
      group: 'safety',
      title: 'How long restore points are kept',
      question: 'How do I delete old restore points?',
      blocks: [
        {
          kind: 'text',
          text: 'Without a rule, everything is kept. A deletion job deletes restore points by age, by number, or by the grandfather-father-son scheme: the newest of each day, week, month and year.',
        },
        {
          kind: 'text',
          text: 'The preview shows what would go before anything does. What a legal hold or the object lock of the location keeps stays, whatever the rule says. Space is freed with a delay, so that nothing that is still being read disappears.',
        },
      ],
    },
    retentionPolicies,
    legalHolds,
    reviewSets,
    auditors,
    accessRequest,
    erasure,
    keys: {
      group: 'safety',
      title: 'The master key',
      question: 'Which key must I never lose?',
      blocks: [
        {
          kind: 'text',
          text: 'Everything stored is encrypted with keys that are themselves sealed by one master key. It is made at the first start and lies as master.key in the data directory, readable by the server alone.',
        },
        {
          kind: 'steps',
          items: [
            'Copy master.key to a safe place that is not this server: a password safe, or paper in a strongbox.',
            'Copy it again after each rotation (console command "admin rotate-keys").',
            'Try once a year whether you can find it.',
          ],
        },
        { kind: 'note', text: 'Without the master key nobody can read the vault, not even its makers.' },
      ],
    },
    darkDay: {
      group: 'safety',
      title: 'The dark day: server and database are gone',
      question: 'How do I get my data without this server?',
      blocks: [
        {
          kind: 'text',
          text: 'The vault needs no database. With the bucket or the folder, and the master key, everything in it can be listed, read and restored.',
        },
        {
          kind: 'steps',
          items: [
            'Install Holdfast on any machine and put master.key into its data directory.',
            'Look what is there: "admin vault ls" lists the resources, "admin vault verify" proves that nothing is damaged.',
            'If it is urgent, "admin restore" writes everything as archives that any program opens: messages as EML, calendars as ICS, contacts as VCF, files as they were. One mailbox or drive can be named.',
            '"admin vault cat" writes one item, and "admin vault export" writes a proof with it: hashes that the vault has signed.',
            'For the whole product, start it, connect the tenant and the location again, and run "admin rebuild-catalog". Browsing and restoring then work as before.',
          ],
        },
        {
          kind: 'note',
          text: 'The format of the vault is public and short. A reader can be written from its description alone; a second one comes with the sources.',
        },
      ],
    },
    roles: {
      group: 'safety',
      title: 'Users and roles',
      question: 'Who may do what?',
      blocks: [
        {
          kind: 'table',
          head: ['Role', 'May'],
          rows: [
            ['Owner', 'Everything, keys and other owners included. An organisation keeps at least one.'],
            ['Administrator', 'Tenants, locations, configuration, users up to the own role, jobs and restores.'],
            ['Operator', 'Create, start and stop jobs, restore.'],
            ['Auditor', 'Read reports and the audit log, until the access ends by date.'],
            ['Reader', 'See dashboards, jobs, runs and reports.'],
          ],
        },
        {
          kind: 'text',
          text: 'New people are invited under Configuration, Users. Looking into the content of other people asks for a reason, and both are written to the audit log.',
        },
      ],
    },
    mailboxAccess,
    twoFactor: {
      group: 'safety',
      title: 'Two-factor authentication',
      question: 'How do I protect my account?',
      blocks: [
        {
          kind: 'steps',
          items: [
            'Open My profile, Two-factor authentication, and choose Set up.',
            'Scan the code with an authenticator app and enter the six digits it shows.',
            'Print or copy the ten recovery codes. Each opens the account once if the phone is lost.',
          ],
        },
        {
          kind: 'text',
          text: 'Accounts without an authenticator get a code of six digits by e-mail when mail is set up on the server. Five wrong codes end the attempt.',
        },
      ],
    },
    staging: {
      group: 'daily',
      title: 'Staging',
      question: 'How do I rehearse without touching production?',
      blocks: [
        {
          kind: 'text',
          text: 'Every installation has a second realm with the same pages over separate data. Switch to it in the top bar; a strip below it says that nothing here touches production. Connect a test tenant there to rehearse restores and drills.',
        },
      ],
    },
    auditLog: {
      group: 'safety',
      title: 'The audit log',
      question: 'How do I find out who did what?',
      blocks: [
        {
          kind: 'text',
          text: 'Every sign-in, change, refusal and look into content is written down with person, time, address and reason. Owners and auditors can filter and export it.',
        },
        {
          kind: 'text',
          text: 'The entries form a tree of hashes with signed checkpoints. An entry that was changed, removed or moved is found by the console command "admin verify-audit", which also runs every night.',
        },
      ],
    },
    limits: {
      group: 'daily',
      title: 'How fast Microsoft lets us be',
      question: 'Why does the first backup take so long?',
      blocks: [
        {
          kind: 'table',
          head: ['What', 'Limit of the service', 'What follows'],
          rows: [
            [
              'A mailbox',
              '10,000 requests in 10 minutes, 4 at a time',
              'At most about 57,000 messages an hour and mailbox; mailboxes are read side by side.',
            ],
            [
              'OneDrive and SharePoint',
              'A budget per minute and per day, by number of licences',
              'Small tenants read about a million files a day. A part is kept free for restores.',
            ],
            ['A channel', 'One request a second', 'About 50 messages a second; a channel with answers is slower.'],
          ],
        },
        {
          kind: 'text',
          text: 'Holdfast obeys every pause that Microsoft asks for and slows down before it is asked. More app registrations to read faster are forbidden by Microsoft.',
        },
      ],
    },
  },
};
