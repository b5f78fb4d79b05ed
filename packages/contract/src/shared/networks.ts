import { z } from 'zod';

const networksMost = 20;
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** Addresses and networks that something is allowed from; anywhere when the list is empty. */
export const networkList = z
  .array(z.string().max(60, { error: 'validation.network' }))
  .max(networksMost, { error: 'validation.networks' })
  // Of the list, so that the form shows it at the field that holds them all.
  .refine((entries) => entries.every((entry) => network.safeParse(entry).success), { error: 'validation.network' });
