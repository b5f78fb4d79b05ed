import { graphRoles as roles, type Article } from '../catalogue/manual.ts';

/** How the app is registered by hand. */
export const registerApp: Article = {
  group: 'start',
  title: 'Register the app in Microsoft Entra',
  question: 'How do I give Holdfast access to Microsoft 365?',
  blocks: [
    {
      kind: 'text',
      text: 'Holdfast signs in as an application of your own tenant. You need a Global Administrator or an Application Administrator together with a Privileged Role Administrator for about ten minutes.',
    },
    {
      kind: 'note',
      text: 'The assistant under Connect tenant does all of this with one script. Follow these steps only if you register the app by hand.',
    },
    {
      kind: 'steps',
      items: [
        'Open entra.microsoft.com, go to Applications, then App registrations, and choose New registration. Name it Holdfast, accounts in this directory only, no redirect URI.',
        'Note the Application (client) ID and the Directory (tenant) ID of the overview.',
        'Under API permissions choose Add a permission, Microsoft Graph, Application permissions, and add the roles of the table below for what you want to protect.',
        'Choose Grant admin consent. Every line must then show a green tick.',
        'Under Certificates & secrets upload a certificate (recommended), or make a client secret and copy its value at once: it is shown only now.',
      ],
    },
    {
      kind: 'diagram',
      name: 'entraIds',
      text: 'Where Entra shows the two IDs: on the overview of the app. Holdfast does not need the object ID.',
      words: [
        'Microsoft Entra: App registrations, Holdfast',
        'Overview',
        'Certificates & secrets',
        'API permissions',
        'Display name',
        'Application (client) ID',
        'Object ID',
        'Directory (tenant) ID',
        'enter in Holdfast',
      ],
    },
    {
      kind: 'diagram',
      name: 'entraConsent',
      text: 'Where you grant consent: under API permissions. Afterwards each line says that it is granted.',
      words: [
        'Microsoft Entra: App registrations, Holdfast',
        'Overview',
        'Certificates & secrets',
        'API permissions',
        'Add a permission',
        'Grant admin consent',
        'Application',
        'Granted',
      ],
    },
    {
      kind: 'table',
      head: ['For', 'Backup needs', 'Restore adds'],
      rows: [
        ['Users and groups', roles.directory.backup, roles.directory.restore],
        ['Exchange', roles.exchange.backup, roles.exchange.restore],
        ['OneDrive and SharePoint', roles.files.backup, roles.files.restore],
        ['Teams and chats', roles.teams.backup, roles.teams.restore],
        ['Teams that get their apps back (optional)', roles.teamApps.backup, roles.teamApps.restore],
        ['Drills that take the channels they make away again (optional)', roles.drill.backup, roles.drill.restore],
      ],
    },
    {
      kind: 'note',
      text: 'A tenant that is only backed up works with the middle column alone. A restore then stops before its first write and names the role that is missing. You can add restore roles for a restore and take them away afterwards. Sites.Selected can replace Sites.Read.All for single sites. Microsoft then lists no sites, so enter the address of each in the job; a job for every site needs Sites.Read.All.',
    },
  ],
};

/** How the assistant connects a tenant, with pictures of each step. */
export const connectTenant: Article = {
  group: 'start',
  title: 'Connect a tenant',
  question: 'How do I connect my tenant?',
  blocks: [
    {
      kind: 'text',
      text: 'An assistant prepares everything: you run one script in your tenant and enter two IDs. It takes about ten minutes and needs a Global Administrator or a Privileged Role Administrator.',
    },
    {
      kind: 'diagram',
      name: 'appRegistration',
      text: 'How Holdfast gets access to your tenant. The private key never leaves the server.',
      words: [
        'Holdfast',
        'Creates the script',
        'Keeps the private key',
        'You',
        'Run the script once',
        'As administrator',
        'Microsoft Entra',
        'App with certificate',
        'Permissions you chose',
        '1. Script',
        '2. Registers the app',
        '3. Directory ID and application ID',
      ],
    },
    {
      kind: 'text',
      text: 'Step 1: Open Configuration, Tenants and locations, and choose Connect tenant. Choose what to protect, and whether Holdfast may also restore. Everything is selected at first, so most tenants only need Next.',
    },
    { kind: 'screenshot', name: 'connect-choose', text: 'Step 1: choose what the app may do.' },
    {
      kind: 'text',
      text: 'Step 2: Copy the script and paste it into the Cloud Shell of the Azure portal, or run the script for PowerShell 7. It registers the app, grants exactly the permissions you chose, and prints two IDs.',
    },
    { kind: 'screenshot', name: 'connect-register', text: 'Step 2: run the script in your tenant.' },
    {
      kind: 'text',
      text: 'Step 3: Enter a name and the two IDs. A permission gets a green tick as soon as Microsoft has granted it, which can take a few minutes. Then choose Connect tenant.',
    },
    {
      kind: 'screenshot',
      name: 'connect-permissions',
      text: 'Step 3: enter the two IDs and wait for the green ticks.',
    },
    {
      kind: 'text',
      text: 'On the page of the tenant, choose Provision. Holdfast checks each permission and reads users, groups, sites and teams. You can create the first backup job after that.',
    },
    {
      kind: 'note',
      text: 'If the app exists already, choose Enter an existing app instead. Enter its IDs and the client secret, or paste the certificate with its private key. Holdfast signs in to Microsoft before it saves anything; if Microsoft refuses, the message names the field to correct.',
    },
    {
      kind: 'text',
      text: 'Secrets and private keys are stored encrypted. Nobody can read them again; you can only replace them. Configuration, Teams and OneDrive shows the state of each permission and what it is needed for.',
    },
  ],
};
