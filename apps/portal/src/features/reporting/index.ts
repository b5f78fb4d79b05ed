/**
 * Reports in the portal: what ended runs did, month by month and account by account, what is not protected, and
 * the evidence of verifications and drills. Other areas list their own runs with `Reports`.
 */
export { Reports } from './reports-of-area.tsx';
