import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A picture of a page of the web interface, which `make screenshots ONLY=manual` takes. */
interface Picture {
  /** The page's address. */
  page: string;
  /** Pixels of the browser's window. */
  width: number;
  height: number;
}

/** The folder of the manual with the pictures, and that below which they are served. */
export const PICTURES = 'pictures';

/** The pictures of a manual, in its folder. One that was never taken is not there; a test finds that. */
export class Pictures {
  readonly #folder: string;
  readonly #listed: Record<string, Picture>;
  readonly #shown = new Set<string>();

  constructor(manual: string) {
    this.#folder = join(manual, PICTURES);
    const list = readFileSync(join(manual, 'pictures.json'), 'utf8');
    this.#listed = JSON.parse(list) as Record<string, Picture>;
  }

  get names(): string[] {
    return Object.keys(this.#listed);
  }

  /** Files of pictures, by their names. */
  get taken(): string[] {
    return readdirSync(this.#folder);
  }

  /** Pictures that no page has shown. */
  get unshown(): string[] {
    return this.names.filter((name) => !this.#shown.has(name));
  }

  read(file: string): Buffer {
    return readFileSync(join(this.#folder, file));
  }

  /** Returns the element that shows a picture as wide as the text, and leads to it as it is. */
  shown(file: string, text: string, place: string): string {
    const name = file.replace(/\.webp$/, '');
    const picture = this.#listed[name];
    if (!picture) throw new Error(`pictures.json has no ${name}.`);
    if (!text) throw new Error(`The picture ${name} has no text.`);
    this.#shown.add(name);
    const { width, height } = picture;
    const address = `/${place}/${PICTURES}/${name}.webp`;
    const image = `<img src="${address}" alt="${text}" width="${width}" height="${height}" loading="lazy">`;
    return `<a class="picture" href="${address}">${image}</a>`;
  }
}
