export { TeamsMonitorPage as default } from './monitor-page.tsx';
