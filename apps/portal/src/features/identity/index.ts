/**
 * Signing in and one's own account in the portal.
 *
 * Its pages are routes of their own; other pages for visitors share the choice of a language.
 */
export { LanguageChoice } from './language-choice.tsx';
