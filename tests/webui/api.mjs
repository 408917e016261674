import { ADMIN } from './browser.mjs';

const LOGIN = `Basic ${Buffer.from(`${ADMIN.name}:${ADMIN.password}`).toString('base64')}`;

/** Do something on the array as its administrator, as programs do it. */
export async function asAdmin(array, method, path, body) {
  const response = await fetch(`${array.url}/api/${path}`, {
    method,
    headers: {
      Accept: 'application/json',
      Authorization: LOGIN,
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}
