/** Receivers of journal mail in the portal: one drawer that sets up the receiver of a tenant and shows how it does. */
export { ReceiverDrawer } from './receiver-drawer.tsx';
