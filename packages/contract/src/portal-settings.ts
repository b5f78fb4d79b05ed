import { z } from 'zod';
import { basePaths, toastDefaultLimit } from './shared/limits.ts';

/**
 * What the server tells the portal before the first call. `apps/portal/dist/index.html` holds the
 * marker below once; the server replaces it, per request, with the element that
 * `portalSettingsElement` makes. The element is a data block, so no content security policy stops
 * it, and the nonce in it is the one of the `style-src` of that very answer.
 */
export const portalSettingsMarker = '<!--holdfast-settings-->';
export const portalSettingsElementId = 'holdfast-settings';

/** A text that operators enter once per language. */
const bilingual = z.object({ en: z.string(), de: z.string() });

export const portalSettings = z.object({
  version: z.string(),
  /** The nonce of `style-src`; empty where no policy is sent, as under the development server. */
  nonce: z.string().default(''),
  basePaths: z.object({ main: z.string(), staging: z.string(), legacy: z.string() }).default(basePaths),
  /** Sent as the allowed-origins header on every call; the server ignores it. */
  allowedOrigins: z.string().default(''),
  /** Whether browsers allow passkeys at the public address. */
  passkeys: z.boolean().default(false),
  toastLimit: z.number().int().min(1).default(toastDefaultLimit),
  /** Demo data: the sign-in page then shows how to get in. */
  demo: z.object({ email: z.string(), password: z.string() }).nullable().default(null),
  support: z
    .object({ email: z.string().default(''), phone: z.string().default(''), url: z.string().default('') })
    .default({ email: '', phone: '', url: '' }),
  imprint: bilingual.nullable().default(null),
});
export type PortalSettings = z.infer<typeof portalSettings>;
export type PortalSettingsInput = z.input<typeof portalSettings>;

/** The element that carries the settings. `<` is escaped, so that no text in them can end it. */
export function portalSettingsElement(settings: PortalSettingsInput): string {
  const json = JSON.stringify(portalSettings.parse(settings)).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" id="${portalSettingsElementId}">${json}</script>`;
}
