import { AppError } from '@holdfast/foundation/errors';
import type { Recipe, SiteRecipe, TeamRecipe } from '../state/recipe.ts';

function site(path: string, displayName: string, subsites: readonly SiteRecipe[] = []): SiteRecipe {
  return { path, displayName, files: 40, lists: 2, itemsPerList: 25, pages: 3, subsites };
}

function team(displayName: string, members: number, names: readonly string[]): TeamRecipe {
  const channels = names.map((name, index) => ({
    displayName: name.replace(/^[!~]/u, ''),
    membershipType: name.startsWith('!') ? ('private' as const) : name.startsWith('~') ? ('shared' as const) : ('standard' as const),
    messages: index === 0 ? 40 : 25,
  }));
  return { displayName, members, channels, files: 25 };
}

const contoso: Recipe = {
  name: 'contoso',
  displayName: 'Contoso AG',
  label: 'contoso',
  people: { members: 25, guests: 3, sharedMailboxes: 2, rooms: 2, germanShare: 0.5 },
  mail: { messagesPerUser: 74, isUniform: false, total: 2000, years: 6 },
  eventsPerUser: 24,
  contactsPerUser: 15,
  tasksPerUser: 10,
  drives: { filesPerUser: 30, medianBytes: 60_000, largestBytes: 4_000_000, foldersPerUser: 6 },
  sites: [
    site('intranet', 'Intranet'),
    site('vertrieb', 'Vertrieb', [site('vertrieb/angebote', 'Angebote')]),
    site('projects', 'Projects'),
    site('quality', 'Qualität'),
  ],
  teams: [
    team('Vertrieb DACH', 9, ['General', 'Angebote', '!Leitung']),
    { ...team('Product Development', 12, ['General', 'Releases', 'Design', '~Partners']), guests: 2 },
    { ...team('Company', 25, ['General', 'News']), isOwnerless: true },
  ],
  chats: { oneOnOne: 20, group: 6, messagesPerChat: 18 },
  hasOddities: true,
};

const fabrikam: Recipe = {
  ...contoso,
  name: 'fabrikam',
  displayName: 'Fabrikam Inc.',
  label: 'fabrikam',
  people: { members: 10, guests: 1, sharedMailboxes: 1, rooms: 1, germanShare: 0.1 },
  mail: { messagesPerUser: 50, isUniform: false, total: 600, years: 3 },
  sites: [site('home', 'Home'), site('operations', 'Operations')],
  teams: [team('Operations', 6, ['General', 'Shifts'])],
  chats: { oneOnOne: 6, group: 2, messagesPerChat: 12 },
  hasOddities: false,
};

const tiny: Recipe = {
  ...fabrikam,
  name: 'tiny',
  displayName: 'Tiny',
  label: 'tiny',
  people: { members: 3, guests: 1, sharedMailboxes: 1, rooms: 0, germanShare: 0.34 },
  mail: { messagesPerUser: 19, isUniform: true, total: 76, years: 1 },
  eventsPerUser: 6,
  contactsPerUser: 5,
  tasksPerUser: 4,
  drives: { filesPerUser: 8, medianBytes: 20_000, largestBytes: 400_000, foldersPerUser: 3 },
  sites: [{ path: 'home', displayName: 'Home', files: 6, lists: 1, itemsPerList: 8, pages: 1 }],
  teams: [
    {
      displayName: 'Everyone',
      members: 3,
      files: 4,
      channels: [
        { displayName: 'General', membershipType: 'standard', messages: 12 },
        { displayName: 'Leads', membershipType: 'private', messages: 6 },
      ],
    },
  ],
  chats: { oneOnOne: 2, group: 1, messagesPerChat: 8 },
};

const office: Recipe = {
  ...contoso,
  name: 'office',
  displayName: 'Office GmbH',
  label: 'office',
  people: { members: 250, guests: 20, sharedMailboxes: 12, rooms: 8, germanShare: 0.5 },
  mail: { messagesPerUser: 800, isUniform: false, years: 8 },
  drives: { filesPerUser: 400, medianBytes: 120_000, largestBytes: 40_000_000, foldersPerUser: 30 },
  chats: { oneOnOne: 400, group: 80, messagesPerChat: 120 },
};

const million: Recipe = {
  ...office,
  name: 'million',
  displayName: 'Million Ltd',
  label: 'million',
  people: { members: 500, guests: 0, sharedMailboxes: 0, rooms: 0, germanShare: 0.4 },
  mail: { messagesPerUser: 1800, isUniform: false, total: 1_000_000, largest: 100_000, years: 10 },
  hasOddities: false,
};

const terabyte: Recipe = {
  ...office,
  name: 'terabyte',
  displayName: 'Terabyte KG',
  label: 'terabyte',
  people: { members: 100, guests: 0, sharedMailboxes: 0, rooms: 0, germanShare: 0.5 },
  drives: { filesPerUser: 3000, medianBytes: 1_600_000, largestBytes: 400_000_000, foldersPerUser: 200 },
  hasOddities: false,
};

const all: readonly Recipe[] = [contoso, fabrikam, tiny, office, million, terabyte];

/** Names of the recipes, for the command line. */
export const recipeNames: readonly string[] = all.map((recipe) => recipe.name);

/** The recipe called `name`; `simulator.unknown-recipe` when there is none. */
export function recipeNamed(name: string): Recipe {
  const found = all.find((recipe) => recipe.name === name);
  if (!found) throw new AppError('simulator.unknown-recipe', { details: { name, known: recipeNames } });
  return found;
}

/** A recipe with other numbers of users and messages, as `--users` and `--messages-per-user` ask. */
export function resized(recipe: Recipe, size: { readonly users?: number; readonly messagesPerUser?: number }): Recipe {
  const { users = recipe.people.members, messagesPerUser } = size;
  const people = { ...recipe.people, members: users };
  if (messagesPerUser === undefined && size.users === undefined) return recipe;
  const mail = { messagesPerUser: messagesPerUser ?? recipe.mail.messagesPerUser, isUniform: true, years: recipe.mail.years };
  return { ...recipe, people, mail };
}
