import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useText } from '../../../i18n/use-text.ts';

const sizePixels = 200;

/** The address that authenticator apps read from the picture. */
export function keyAddress(sharedKey: string, email: string): string {
  const label = encodeURIComponent(`Holdfast:${email}`);
  return `otpauth://totp/${label}?secret=${encodeURIComponent(sharedKey)}&issuer=Holdfast&digits=6&period=30`;
}

/** The QR code of a key; its library is loaded only here. */
export function KeyImage({ sharedKey, email }: { readonly sharedKey: string; readonly email: string }): ReactElement | null {
  const text = useText();
  const picture = useQuery({
    queryKey: ['qr', sharedKey, email],
    queryFn: async () => {
      const { toDataURL } = await import('qrcode');
      return await toDataURL(keyAddress(sharedKey, email), { width: sizePixels, margin: 2 });
    },
    gcTime: 0,
  });
  if (picture.data === undefined) return null;
  return <img src={picture.data} width={sizePixels} height={sizePixels} alt={text('profile.qr')} />;
}
