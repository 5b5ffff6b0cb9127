/** Names and words of some languages. The main module of the library would load seventy. */

import { faker as csCZ } from '@faker-js/faker/locale/cs_CZ'
import { faker as da } from '@faker-js/faker/locale/da'
import { faker as de } from '@faker-js/faker/locale/de'
import { faker as en } from '@faker-js/faker/locale/en'
import { faker as enIN } from '@faker-js/faker/locale/en_IN'
import { faker as es } from '@faker-js/faker/locale/es'
import { faker as fi } from '@faker-js/faker/locale/fi'
import { faker as fr } from '@faker-js/faker/locale/fr'
import { faker as hr } from '@faker-js/faker/locale/hr'
import { faker as hu } from '@faker-js/faker/locale/hu'
import { faker as it } from '@faker-js/faker/locale/it'
import { faker as nbNO } from '@faker-js/faker/locale/nb_NO'
import { faker as nl } from '@faker-js/faker/locale/nl'
import { faker as pl } from '@faker-js/faker/locale/pl'
import { faker as ptBR } from '@faker-js/faker/locale/pt_BR'
import { faker as sv } from '@faker-js/faker/locale/sv'
import type { LocaleDefinition } from '@faker-js/faker'

export const english: LocaleDefinition = en.rawDefinitions

const fakers = [en, enIN, de, fr, es, it, nl, ptBR, sv, da, nbNO, fi, pl, csCZ, hr, hu]

/** English and other languages in Latin letters, which have English values where they lack their own. */
export const locales: readonly LocaleDefinition[] = fakers.map(({ rawDefinitions }) => rawDefinitions)
