/**
 * eDiscovery cases in the portal. Other pages that show files add them with `AddToCase`.
 */
export { AddToCase } from './add-to-case.tsx';
