import { ClientSecretCredential } from '@azure/identity';
import { AzureIdentityAuthenticationProvider } from '@microsoft/kiota-authentication-azure';
import { GraphRequestAdapter } from '@microsoft/msgraph-sdk';
import { readSetting } from './setting.ts';

/** The adapter of Microsoft's typed client, as its instructions make it. */
export function createAdapter(): GraphRequestAdapter {
  const { tenantId, clientId, clientSecret } = readSetting();
  const credential = new ClientSecretCredential(tenantId, clientId, clientSecret);
  return new GraphRequestAdapter(new AzureIdentityAuthenticationProvider(credential, ['https://graph.microsoft.com/.default']));
}

interface TypedError {
  readonly errorEscaped?: { readonly code?: string; readonly message?: string };
}

/** Code and message of what a call of the typed client was refused with: its errors are no `Error`. */
export async function refusalOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return '';
  } catch (error) {
    const { errorEscaped } = error as TypedError;
    return `${errorEscaped?.code ?? ''}: ${errorEscaped?.message ?? String(error)}`;
  }
}
