/**
 * The presentation of a resource beyond its declaration. All of it is optional: a resource without one
 * has its pages nevertheless.
 *
 * `PresentationsOf` provides all presentations to these pages (main.tsx).
 */
import type { TFunction } from 'i18next';
import { type ComponentType, createContext, use } from 'react';

import type { Json, Query } from '../api/client';
import type { Declarations, Resource } from '../declarations/declarations';
import type { Place } from '../declarations/place';
import type { Action } from './action/action';

export interface OverviewProps {
  place: Place;
  record: Json;
}

/** A query of the same collection; its first record fills in these fields. */
export interface Suggestion {
  query: Query;
  fields: string[];
  note: ComponentType<{ record: Json | undefined }>;
}

export interface Presentation {
  /** Columns of the list, by dotted name. */
  columns?: string[];
  /** Components for fields with a form of their own, and the fields to read beside them. */
  renderers?: Record<string, { needs: string[]; component: ComponentType<{ record: Json }> }>;
  /** The heading of an object's page, if not its name. */
  title?: (t: TFunction, declarations: Declarations, record: Json) => string;
  /** Fields that are for programs alone. */
  hidden?: string[];
  /** Fields that are shown as a bar: used, of size. */
  capacity?: { used: string; size: string };
  /** The field that the filter of the list looks at, if not the name. */
  search?: string;
  /** Seconds after which the list is read again, where that is sooner than for others. */
  refresh?: number;
  /** Fields at the top of the form, in this order; the others are under "More". */
  first?: string[];
  /**
   * Fields that a link to the form may fill in, by parameters of their names. No others: links come
   * from anywhere, and not all fields of a form are seen.
   */
  linked?: string[];
  /** Fields that the array needs though it can do without them in some case. */
  needed?: string[];
  /** Data is lost with it: its name is typed before it is deleted. */
  holdsData?: boolean;
  /** The first view of its list; the rows are one click away. */
  drawing?: { title: string; component: ComponentType };
  /** Charts of a collection below an object, in the place of rows. */
  charts?: ComponentType<{ collection: string; resource: Resource }>;
  /** Shown above the fields of an object. */
  overview?: ComponentType<OverviewProps>;
  /** Shown with the secrets of a new object, which are shown once. */
  once?: ComponentType<{ record: Json }>;
  /** The array's own suggestion, with a note above the form. */
  suggestion?: Suggestion;
  /** Its everyday actions: buttons on its page, and for the chosen rows of its list. */
  actions?: Action[];
}

/** Return the presentation of the resource with a path. */
export type Presentations = (path: string) => Presentation;

const Context = createContext<Presentations>(() => ({}));

/** Provides presentations to all components below it. */
export const PresentationsOf = Context;

export function usePresentation(path: string): Presentation {
  return use(Context)(path);
}
