import { describe, expect, it } from 'vitest';
import { pathOf } from './routes.ts';

describe('a path', () => {
  it('keeps identifiers readable and encodes what would break it', () => {
    expect(pathOf('GET /users/{id}/messages/{id}', ['ada@contoso.com', 'AAMk/+='])).toBe(
      '/v1.0/users/ada@contoso.com/messages/AAMk%2F%2B%3D',
    );
    expect(pathOf('GET /sites/{id}', ['contoso.sharepoint.com,a,b'])).toBe('/v1.0/sites/contoso.sharepoint.com,a,b');
  });
  it('encodes names, quotes and colons of files, and keeps slashes between folders', () => {
    expect(pathOf('GET /drives/{id}/items/{id}:/{path}', ['d', 'i', "a/b#c's: 100%.txt"])).toBe(
      '/v1.0/drives/d/items/i:/a/b%23c%27s%3A%20100%25.txt',
    );
  });
  it('gives beta calls their own version', () => {
    expect(pathOf('POST /beta/users/{id}/mailFolders/{id}/importMime', ['u', 'f'])).toBe('/beta/users/u/mailFolders/f/importMime');
  });
  it.each(['', '.', '..'])('refuses %j as an identifier', (id) => expect(() => pathOf('GET /users/{id}', [id])).toThrow(RangeError));
});
