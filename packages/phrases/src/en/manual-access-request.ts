import type { Article } from '../catalogue/manual.ts';

/** How somebody's request for access is carried out and answered. */
export const accessRequest: Article = {
  group: 'safety',
  title: 'Answer a request for access',
  question: 'Somebody asks us for a copy of their data. What do I hand out, and until when?',
  blocks: [
    {
      kind: 'text',
      text: 'You have a month from the day the request came in. The package has everything of the person that is backed up or archived, and items of others that have them as sender or recipient or mention their name.',
    },
    {
      kind: 'steps',
      items: [
        'Open the person under People & sites and choose Register access request. Enter the day the request came in and what it says.',
        'Look through the mentions. Choose what would harm the rights of others, then Leave out, with a reason.',
        'Choose Create package. When the export is ready, download it with its signed manifest.',
        'Choose Download letter. It says what the package has, what is left out and why, and how to check it.',
        'Hand both over safely, then choose Mark as answered and enter how you did it.',
      ],
    },
    {
      kind: 'list',
      items: [
        'If you need more time, choose Extend within the first month and tell the person why. That gives you two more months.',
        'Owners and administrators are reminded by e-mail a week before the end, and the overview shows what is due.',
        'Items that you have no right to open are counted and not included. The letter says how many there are.',
        'The register under Data requests has requests for erasure too, and can be downloaded as a CSV file.',
      ],
    },
  ],
};
