import type { ScreenshotName } from '@holdfast/phrases/manual';
import chooseDe from './pictures/connect-choose.de.webp';
import chooseEn from './pictures/connect-choose.en.webp';
import permissionsDe from './pictures/connect-permissions.de.webp';
import permissionsEn from './pictures/connect-permissions.en.webp';
import registerDe from './pictures/connect-register.de.webp';
import registerEn from './pictures/connect-register.en.webp';

/** The size of every picture. */
export const screenshotSize = { width: 1_120, height: 720 } as const;

/** The addresses of the pictures in each language: files of their own, which are fetched when they come into sight. */
export const screenshots: Readonly<Record<'en' | 'de', Readonly<Record<ScreenshotName, string>>>> = {
  en: { 'connect-choose': chooseEn, 'connect-register': registerEn, 'connect-permissions': permissionsEn },
  de: { 'connect-choose': chooseDe, 'connect-register': registerDe, 'connect-permissions': permissionsDe },
};
