export { TeamsJobsPage as default } from './jobs-page.tsx';
