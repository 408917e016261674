/** Where disks are: in the bays of shelves, or in the machine itself. */
import type { components } from '../../generated/api';

export type Disk = components['schemas']['storage_disks'];
export type Shelf = components['schemas']['storage_shelves'];

export interface Bay {
  /** Undefined for a disk with an unknown bay. */
  number?: number;
  /** Undefined for an empty bay. */
  disk?: Disk;
  /** The shelf says of it that it is not in order. */
  isFaulty: boolean;
}

export interface Rack {
  /** Undefined for the machine itself, and for shelves that say nothing of themselves. */
  shelf?: Shelf;
  /** The node that sees disks in no known shelf. */
  node?: string;
  bays: Bay[];
}

/** Return each shelf with all of its bays, and at the end the disks that are in none of them. */
export function racks(disks: readonly Disk[], shelves: readonly Shelf[]): Rack[] {
  const known = new Set(shelves.map(({ uid }) => uid));
  const inShelf = (disk: Disk) => disk.shelf?.uid !== undefined && known.has(disk.shelf.uid);
  const drawn: Rack[] = shelves.map((shelf) => {
    const own = disks.filter((disk) => inShelf(disk) && disk.shelf!.uid === shelf.uid);
    return {
      shelf,
      bays: (shelf.bays ?? []).map((bay) => {
        const disk = inBay(own, bay.id);
        return {
          ...(bay.id !== undefined && { number: bay.id }),
          ...(disk && { disk }),
          isFaulty: bay.state === 'warning' || bay.state === 'error',
        };
      }),
    };
  });
  const others = disks.filter((disk) => !inShelf(disk));
  const nodeOf = (disk: Disk) => disk.node?.name ?? '';
  const nodes = [...new Set(others.map(nodeOf))].map((node) => ({
    node,
    bays: loose(others.filter((disk) => nodeOf(disk) === node)),
  }));
  return [...drawn, ...nodes];
}

/** Return the disks of no shelf, those with a bay first. */
function loose(disks: readonly Disk[]): Bay[] {
  const place = ({ bay }: Disk) => bay ?? Number.MAX_SAFE_INTEGER;
  return disks
    .toSorted((one, other) => place(one) - place(other))
    .map((disk) => ({
      ...(disk.bay !== undefined && { number: disk.bay }),
      disk,
      isFaulty: false,
    }));
}

/** A disk that was taken out is shown in its bay until another disk is there. */
function inBay(disks: readonly Disk[], number: number | undefined): Disk | undefined {
  const there = disks.filter((disk) => disk.bay === number);
  return there.find((disk) => disk.state !== 'removed') ?? there[0];
}

export const WORN_OUT = 100;
export const NEARLY_WORN_OUT = 90;

/** Return the one word that matters most of a disk. */
export function conditionOfDisk(disk: Disk): string {
  if (isGone(disk)) return disk.state!;
  if (disk.health?.passed === false) return 'failing';
  if (isTooHot(disk)) return 'too_hot';
  const used = disk.rated_life_used_percent ?? 0;
  if (used >= WORN_OUT) return 'worn_out';
  if (used >= NEARLY_WORN_OUT) return 'worn';
  if (disk.state === 'zeroing') return 'zeroing';
  if (disk.container_type === 'unsupported' || disk.container_type === 'unknown')
    return disk.container_type;
  return 'ok';
}

/** Whether the array has to do without it. */
export function isGone({ state }: Disk): boolean {
  return state === 'removed' || state === 'broken';
}

export function isTooHot({ temperature, temperature_limit: limit }: Disk): boolean {
  return temperature !== undefined && limit !== undefined && temperature >= limit;
}
