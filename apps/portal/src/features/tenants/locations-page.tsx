export { LocationsPage as default } from './tenants-page.tsx';
