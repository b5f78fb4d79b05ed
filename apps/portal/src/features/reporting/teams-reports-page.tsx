export { TeamsReportsPage as default } from './reports-page.tsx';
