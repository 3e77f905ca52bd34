import { FEMALE_NAMES, MALE_NAMES, SURNAMES } from '../demo/people.ts'

type Weighted = readonly (readonly [string, number])[]

/** Parses words with their weights, as in `Popa 19 Ion 5`. */
const weighted = (list: string): Weighted =>
  [...list.matchAll(/(\S+) (\d+)/g)].map(([, word = '', weight]) => [word, Number(weight)])

/** Joins the demo's names, with ten times their weight, and names that are common in Romania. */
const widen = (demo: Weighted, list: string): Weighted => [
  ...demo.map(([name, weight]) => [name, weight * 10] as const),
  ...weighted(list),
]

export const MANY_SURNAMES = widen(
  SURNAMES,
  `Pop 80 Ilie 26 Nistor 25 Florea 25 Dinu 24 Dumitrescu 24 Mihai 23 Sandu 23 Toma 22 Marin 22 Tudor 22 Ene 20 Voicu 20
  Dobre 20 Barbu 19 Nicolae 19 Ciobotaru 8 Vasile 18 Ioniță 18 Cristea 18 Grigore 17 Neagu 17 Manea 17 Coman 16 Suciu 16
  Oprea 16 Preda 15 Moraru 15 Rotaru 14 Anghel 14 Dragomir 14 Cojocaru 14 Simion 13 Petre 13 Mocanu 13 Crișan 13
  Ungureanu 13 Botezatu 5 Olteanu 12 Avram 12 Enache 12 Iordache 12 Roman 11 Iancu 11 Nedelcu 11 Stanciu 11 Petrescu 11
  Georgescu 11 Diaconu 10 Pavel 10 Filip 10 Chiriac 10 Văduva 9 Albu 9 Bratu 9 Bucur 9 Cozma 9 Călin 9 Rădulescu 9
  Marinescu 9 Nițu 8 Duță 8 Tănase 8 Țepeș 2 Bogdan 8 Dima 8 David 8 Dragan 8 Drăgan 7 Muntean 7 Vlad 7 Zamfir 7
  Lungu 7 Lupu 7 Manole 7 Niță 7 Oancea 7 Pană 6 Paraschiv 6 Pîrvu 5 Pârvu 5 Sava 6 Stefan 6 Ștefan 6 Trandafir 6
  Ursu 6 Vasilescu 6 Vișan 6 Apostol 5 Ardelean 5 Bejan 5 Bota 5 Buzatu 5 Chirilă 5 Croitoru 5 Damian 5 Danciu 5
  Epure 5 Fodor 5 Gavrilă 5 Ghiță 5 Hanganu 4 Iacob 5 Irimia 4 Ispas 4 Jianu 4 Leonte 4 Luca 4 Macovei 4 Maftei 4
  Marcu 4 Mărginean 4 Mitrea 4 Mureșanu 4 Nagy 6 Năstase 4 Negru 4 Onofrei 4 Pascu 4 Păduraru 4 Pintea 4 Pleșa 3
  Popovici 6 Puiu 3 Purcaru 3 Răducanu 3 Roșca 4 Rus 6 Sabău 3 Savu 3 Scarlat 3 Spătaru 3 Stângă 3 Străchinaru 1
  Surdu 3 Szász 2 Tămaș 3 Tátár 1 Teodorescu 3 Timofte 2 Trif 2 Tudose 2 Țiplea 1 Țăranu 2 Udrea 2 Varga 3 Vîlcu 2
  Vâlcan 1 Vornicu 2 Zaharia 2 Zainea 1 Zbârcea 1 Horváth 1 Tóth 1 Kiss 2 Nemeș 2 Bârsan 2 Bîrsan 1 Hâncu 1 Cîmpean 1
  Câmpean 2 Gherman 2 Ghinea 2 Brătianu 1 Săndulescu 1 Șova 1 Țuțuianu 1 Șandru 2 Știrbu 1 Șuteu 1`,
)

export const MANY_MALE_NAMES = widen(
  MALE_NAMES.filter(([name]) => !/[ -]/.test(name)),
  `Constantin 45 Vasile 44 Nicolae 36 Marian 36 Daniel 36 Gabriel 34 Ionel 14 Dumitru 28 Marius 28 Sorin 22 Viorel 20
  Dan 20 Liviu 10 Lucian 12 George 24 Petru 14 Radu 14 Robert 12 Sebastian 10 Silviu 9 Stelian 9 Teodor 9 Tudor 8 Valentin 14
  Victor 12 Vlad 12 Ovidiu 10 Octavian 5 Emil 10 Eugen 10 Dorin 8 Darius 8 David 10 Cosmin 11 Costel 9 Claudiu 9 Călin 7
  Aurel 12 Anton 4 Alin 8 Albert 2 Ilie 12 Iulian 11 Laurențiu 8 Luca 6 Matei 7 Mircea 14 Nelu 4 Paul 11 Pavel 4 Rareș 5
  Remus 4 Romeo 2 Sergiu 6 Toma 2 Traian 5 Virgil 6 Zoltán 2 László 2 Ștefăniță 2 Gelu 3 Dragoș 8 Denis 4 Eduard 6 Filip 3
  Grigore 4 Horia 3 Ioan 30 Iosif 4 Leonard 2 Mădălin 3 Neculai 4 Narcis 1 Raul 2 Sabin 1 Tănase 1 Viorică 1`,
)

export const MANY_FEMALE_NAMES = widen(
  FEMALE_NAMES.filter(([name]) => !/[ -]/.test(name)),
  `Ana 52 Gabriela 28 Daniela 26 Mariana 26 Florentina 14 Georgeta 16 Elisabeta 12 Ecaterina 12 Rodica 18 Viorica 14
  Valentina 10 Simona 16 Silvia 12 Roxana 14 Raluca 14 Paula 8 Oana 12 Nicoleta 18 Monica 14 Mirela 12 Marinela 8 Lucia 10
  Liliana 12 Lavinia 6 Laura 14 Larisa 8 Irina 14 Ileana 8 Gheorghița 6 Georgiana 12 Floarea 10 Eugenia 9 Doina 12 Diana 14
  Denisa 8 Dana 8 Corina 9 Constanța 7 Claudia 10 Camelia 9 Bianca 9 Aurelia 9 Aurica 4 Antonia 4 Angela 8 Anca 11 Adriana 18
  Adina 8 Alina 14 Carmen 14 Iuliana 12 Ionela 10 Loredana 8 Luminița 9 Magdalena 10 Marcela 5 Margareta 7 Mirabela 2
  Natalia 5 Olga 4 Otilia 3 Petronela 4 Ramona 7 Rebeca 2 Sabina 3 Sofia 6 Sorina 7 Steliana 3 Tatiana 4 Teodora 6 Tudorița 2
  Vasilica 6 Veronica 7 Victoria 7 Violeta 6 Zamfira 1 Ilinca 4 Brândușa 2 Crânguța 1 Frusina 1 Ilona 1 Erzsébet 1`,
)
