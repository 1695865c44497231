// Calls of gophercloud that Terraform's OpenStack provider makes for a zone and a recordset: create, read, update, list
// and delete. Each line of the output is one result.
package main

import (
	"fmt"
	"os"

	"github.com/gophercloud/gophercloud"
	"github.com/gophercloud/gophercloud/openstack"
	"github.com/gophercloud/gophercloud/openstack/dns/v2/recordsets"
	"github.com/gophercloud/gophercloud/openstack/dns/v2/zones"
)

func check(err error) {
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

func main() {
	options, err := openstack.AuthOptionsFromEnv()
	check(err)
	provider, err := openstack.AuthenticatedClient(options)
	check(err)
	client, err := openstack.NewDNSV2(provider, gophercloud.EndpointOpts{})
	check(err)
	name := os.Args[1]

	zone, err := zones.Create(client, zones.CreateOpts{Name: name, Email: "a@example.com", TTL: 300, Type: "PRIMARY",
		Attributes: map[string]string{"owner": "terraform"}}).Extract()
	check(err)
	fmt.Println("zone", zone.Name, zone.TTL, zone.Type, zone.Attributes["owner"], zone.CreatedAt.IsZero())
	zone, err = zones.Update(client, zone.ID, zones.UpdateOpts{TTL: 600}).Extract()
	check(err)
	fmt.Println("updated", zone.TTL, zone.Email)
	pages, err := zones.List(client, zones.ListOpts{Name: name}).AllPages()
	check(err)
	listed, err := zones.ExtractZones(pages)
	check(err)
	fmt.Println("listed", len(listed), listed[0].ID == zone.ID)

	set, err := recordsets.Create(client, zone.ID, recordsets.CreateOpts{Name: "www." + name, Type: "A", TTL: 60,
		Records: []string{"192.0.2.1", "192.0.2.2"}}).Extract()
	check(err)
	fmt.Println("recordset", set.Name, set.Type, set.TTL, len(set.Records), set.ZoneID == zone.ID)
	ttl := 120
	set, err = recordsets.Update(client, zone.ID, set.ID,
		recordsets.UpdateOpts{TTL: &ttl, Records: []string{"192.0.2.3"}}).Extract()
	check(err)
	fmt.Println("updated", set.TTL, set.Records)
	all, err := recordsets.ListByZone(client, zone.ID, recordsets.ListOpts{Type: "A"}).AllPages()
	check(err)
	sets, err := recordsets.ExtractRecordSets(all)
	check(err)
	fmt.Println("listed", len(sets), sets[0].ID == set.ID)

	check(recordsets.Delete(client, zone.ID, set.ID).ExtractErr())
	_, missing := recordsets.Get(client, zone.ID, set.ID).Extract()
	_, is404 := missing.(gophercloud.ErrDefault404)
	fmt.Println("deleted", is404)
	_, err = zones.Delete(client, zone.ID).Extract()
	check(err)
	_, missing = zones.Get(client, zone.ID).Extract()
	_, is404 = missing.(gophercloud.ErrDefault404)
	fmt.Println("deleted", is404)
}
