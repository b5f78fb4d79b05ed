import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Address } from './address.tsx';

test('an address may break after its parts and is read and copied as it is', () => {
  const { container } = render(
    <p>
      <Address value="alice@contoso.com" />
    </p>,
  );
  expect(container.innerHTML).toBe('<p>alice@<wbr>contoso.com</p>');
  expect(container.textContent).toBe('alice@contoso.com');
});
